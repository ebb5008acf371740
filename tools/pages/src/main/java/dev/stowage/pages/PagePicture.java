package dev.stowage.pages;

/** A picture of a page, as HTML that needs no scripts. */
public interface PagePicture {

  /** {@return the picture with its key} */
  String markup();
}
