package dev.stowage.pages;

import java.util.List;

/** A kind of pages in a report. */
enum ReportKind {
  PLAN,
  SHAPES,
  REPLAY,
  FIGURES;

  /** {@return the scripts that other kinds do not need} */
  List<String> scripts() {
    return switch (this) {
      case PLAN -> List.of("plan.js");
      case SHAPES -> List.of("chart.js", "shapes.js");
      case REPLAY -> List.of("flame.js", "beside.js", "replay.js");
      case FIGURES -> List.of("chart.js", "flame.js", "figures-page.js");
    };
  }
}
