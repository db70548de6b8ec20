// @ts-check
import { walkGroup } from "./screen-walk.js";

walkGroup("community");
