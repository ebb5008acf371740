package dev.stowage.fleet.item;

/** A part of the inputs of a sweep that cannot be read or is not valid. */
final class ItemException extends Exception {

  private static final long serialVersionUID = 1L;

  ItemException(String message) {
    super(message);
  }
}
