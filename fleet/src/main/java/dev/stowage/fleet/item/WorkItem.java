package dev.stowage.fleet.item;

import java.io.Serializable;
import java.util.List;

/**
 * One call of a command on one input.
 *
 * @param key the unique name of the item, which does not depend on the order of the inputs
 * @param input the file
 * @param arguments the arguments of the command, without the name of the program
 * @param cost an estimate of the work, comparable between items of one sweep; not negative
 */
public record WorkItem(String key, String input, List<String> arguments, long cost)
    implements Serializable {

  /** Creates an item. */
  public WorkItem {
    arguments = List.copyOf(arguments);
  }
}
