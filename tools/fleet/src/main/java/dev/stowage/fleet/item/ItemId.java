package dev.stowage.fleet.item;

import java.util.List;

/**
 * The identity of an item in the results of a sweep.
 *
 * @param key the unique name of the item, which does not depend on the order of the inputs
 * @param input the path of the file
 * @param options the options of the command
 */
public record ItemId(String key, String input, List<String> options) {

  /** Creates an identity. */
  public ItemId {
    options = List.copyOf(options);
  }
}
