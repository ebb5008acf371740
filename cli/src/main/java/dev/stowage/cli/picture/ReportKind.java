package dev.stowage.cli.picture;

import java.util.List;

/** A kind of pages in a report, with the scripts that other kinds do not need. */
enum ReportKind {
  PLAN(List.of("plan.js")),
  SHAPES(List.of("chart.js", "shapes.js")),
  REPLAY(List.of("flame.js", "beside.js", "replay.js"));

  private final List<String> scripts;

  ReportKind(List<String> scripts) {
    this.scripts = scripts;
  }

  List<String> scripts() {
    return scripts;
  }
}
