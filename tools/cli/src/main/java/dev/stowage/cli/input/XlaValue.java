package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;

/**
 * A value in an allocation.
 *
 * @param name the instruction, with an index such as {@code {0}} if it has several values
 * @param offset the first byte in the allocation
 */
record XlaValue(String name, long bytes, long offset) {

  /** {@return the name with an index, as lists of live ranges have it} */
  String key() {
    return name.endsWith("}") ? name : name + "{}";
  }

  /** {@return the name in messages} */
  String excerpt() {
    return MalformedFileException.excerpt(name);
  }

  /** {@return the name of the instruction} */
  String instruction() {
    int index = name.indexOf('{');
    return index < 0 ? name : name.substring(0, index);
  }
}
