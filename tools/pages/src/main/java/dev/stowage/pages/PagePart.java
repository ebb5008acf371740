package dev.stowage.pages;

/** A table or a picture of a page, as HTML. */
public interface PagePart {

  /** {@return the part with its key} */
  String markup();

  /** {@return true if it is a map, which scripts draw; other parts need no scripts} */
  default boolean isMap() {
    return false;
  }
}
