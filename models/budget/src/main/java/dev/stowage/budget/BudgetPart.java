package dev.stowage.budget;

import java.util.regex.Pattern;

/**
 * A part of the memory of a service, as a function of dimensions.
 *
 * @param name the name: letters, digits, spaces, hyphens and parentheses
 * @param how the origin of the bytes
 * @param unit the thing that has the part once
 * @param phase the time during which the part needs memory
 * @param bytes the bytes of one unit
 */
public record BudgetPart(
    String name, PartSource how, PartUnit unit, PartPhase phase, PartBytes bytes) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ()-]*");

  /**
   * Creates a part.
   *
   * @throws IllegalArgumentException if the name has other characters
   */
  public BudgetPart {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a part must have letters, digits, spaces, hyphens and parentheses only: name="
              + name);
    }
  }

  /**
   * {@return a part with constant bytes}
   *
   * @param name the name
   * @param how the origin of the bytes
   * @param unit the thing that has the part once
   * @param phase the time during which the part needs memory
   * @param bytes the bytes of one unit
   */
  public static BudgetPart of(
      String name, PartSource how, PartUnit unit, PartPhase phase, long bytes) {
    return new BudgetPart(name, how, unit, phase, PartBytes.of(bytes));
  }
}
