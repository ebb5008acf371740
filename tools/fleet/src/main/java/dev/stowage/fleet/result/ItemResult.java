package dev.stowage.fleet.result;

import dev.stowage.fleet.item.ItemId;

/** The result of an item, or the reason why it has none. */
public sealed interface ItemResult permits Done, Failed {

  /** {@return the item} */
  ItemId item();

  /** {@return the exit code of the command; -1 if its process ended} */
  int exitCode();

  /** {@return true if the result is that of an earlier sweep; the line does not contain this} */
  boolean isCached();

  /** {@return the result as a line of JSON, without the end of the line} */
  String toJsonLine();
}
