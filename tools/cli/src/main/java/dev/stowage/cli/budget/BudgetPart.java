package dev.stowage.cli.budget;

/**
 * A part of the memory of a service at its highest point.
 *
 * @param name the name
 * @param bytes the bytes; parts add up to the highest bytes
 */
public record BudgetPart(String name, long bytes) {

  /** The names of the parts that flags of the JVM bound. */
  public static final String HEAP = "JVM heap";

  public static final String METASPACE = "metaspace";
  public static final String CODE = "code cache";
}
