package dev.stowage.fleet.result;

import java.util.List;

/** The result of an item, or the reason why it has none. */
public sealed interface ItemResult permits Done, Failed {

  /** {@return the key of the item} */
  String key();

  /** {@return the path of the file} */
  String input();

  /** {@return the options of the command} */
  List<String> options();

  /** {@return the exit code of the command; -1 if its process ended} */
  int exitCode();

  /** {@return true if the result is that of an earlier sweep; the line does not contain this} */
  boolean isCached();

  /** {@return the result as a line of JSON, without the end of the line} */
  String toJsonLine();
}
