package dev.stowage.cli.budget;

/**
 * A part of the memory of a service at its highest point.
 *
 * @param name the name
 * @param bytes the bytes; parts add up to the highest bytes
 * @param flag the format of the JVM's flag that bounds the part in MiB; empty if there is none
 */
public record BudgetPart(String name, long bytes, String flag) {

  /** {@return a part that no flag bounds} */
  static BudgetPart of(String name, long bytes) {
    return new BudgetPart(name, bytes, "");
  }

  /** {@return the heap of the Java process} */
  static BudgetPart heap(long bytes) {
    return new BudgetPart("JVM heap", bytes, "-Xmx%dm");
  }
}
