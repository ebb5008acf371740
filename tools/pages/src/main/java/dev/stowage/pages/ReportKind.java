package dev.stowage.pages;

import java.util.List;
import java.util.Locale;

/** A kind of pages in a report. */
enum ReportKind {
  PLAN,
  REPLAY,
  FIGURES;

  /** {@return the template of the content} */
  String template() {
    return name().toLowerCase(Locale.ROOT) + ".html";
  }

  /** {@return true if the page has a map, and not only curves and tables} */
  boolean hasMap() {
    return this == PLAN || this == REPLAY;
  }

  /** {@return the scripts that a page of this kind has besides the common ones} */
  List<String> scripts() {
    return switch (this) {
      case PLAN -> List.of("plan.js");
      case REPLAY -> List.of("flame.js", "stacks-panel.js", "beside.js", "replay.js");
      case FIGURES ->
          List.of(
              "labels.js", "table.js", "flame.js", "scatter.js", "figures.js", "figures-page.js");
    };
  }

  /** {@return the scripts that other kinds in a report do not need} */
  List<String> scriptsInReport() {
    return switch (this) {
      case PLAN, REPLAY -> scripts();
      case FIGURES -> List.of("chart.js", "flame.js", "scatter.js", "figures-page.js");
    };
  }
}
