package dev.stowage.pages;

/** A picture of a page, as HTML that needs no scripts. */
public sealed interface PagePicture
    permits CurveChart, StackedAreas, PartBars, ScatterChart, ComparedDrawings {

  /** {@return the picture with its key} */
  String markup();
}
