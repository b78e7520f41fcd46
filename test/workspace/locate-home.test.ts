import { expect, it } from "vitest";
import { locateHome } from "../../src/workspace/locate-home.ts";

it.each([
  { env: {}, home: "/home/me/.carryon" },
  { env: { CARRYON_HOME: "" }, home: "/home/me/.carryon" },
  { env: { CARRYON_HOME: "/data/c" }, home: "/data/c" },
])("is $home for $env", ({ env, home }) => {
  expect(locateHome(env, "/home/me")).toBe(home);
});

it.each(["relative", "./x", "~/x"])(
  "refuses the path %s, which means another folder in each folder",
  (path) => {
    expect(() => locateHome({ CARRYON_HOME: path }, "/home/me")).toThrow(
      expect.objectContaining({ code: "bad-home", kind: "config" }),
    );
  },
);

it.each(["", "relative"])("refuses the home folder %j, which would be another one in each folder", (home) => {
  expect(() => locateHome({}, home)).toThrow(expect.objectContaining({ code: "bad-home" }));
});
