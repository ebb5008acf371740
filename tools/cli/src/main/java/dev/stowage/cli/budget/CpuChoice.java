package dev.stowage.cli.budget;

import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.CpuDetection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The processor that will run a service.
 *
 * @param name the name of its class, or {@code any}
 * @param classes the classes whose largest figures count
 * @param isOfThisMachine true if the user chose no processor
 */
public record CpuChoice(String name, List<CpuClass> classes, boolean isOfThisMachine) {

  /** The choice of all classes for x86-64. */
  private static final String ANY = "any";

  public CpuChoice {
    classes = List.copyOf(classes);
  }

  /** {@return the class of this machine} */
  public static CpuChoice ofThisMachine() {
    CpuClass cpu = CpuDetection.thisMachine();
    return new CpuChoice(cpu.toString(), List.of(cpu), true);
  }

  /**
   * {@return the choice with a name, if there is one}
   *
   * @param name the name of a class, or {@code any}, in letters of any case
   */
  public static Optional<CpuChoice> of(String name) {
    return name.equalsIgnoreCase(ANY)
        ? Optional.of(new CpuChoice(ANY, CpuClass.x86(), false))
        : CpuClass.of(name.toLowerCase(Locale.ROOT))
            .map(cpu -> new CpuChoice(cpu.toString(), List.of(cpu), false));
  }

  /** {@return the names of all choices: {@code baseline, avx2, ... or any}} */
  public static String names() {
    return Arrays.stream(CpuClass.values())
            .map(CpuClass::toString)
            .collect(Collectors.joining(", "))
        + " or "
        + ANY;
  }

  /** {@return true if the figures of all classes were compared with ONNX Runtime} */
  public boolean isCompared() {
    return classes.stream().allMatch(CpuClass::isCompared);
  }

  /** {@return a sentence on classes whose figures are estimates; empty if there are none} */
  public Optional<String> reason() {
    if (isCompared()) {
      return Optional.empty();
    }
    String uncompared =
        classes.stream()
            .filter(cpu -> !cpu.isCompared())
            .map(CpuClass::toString)
            .collect(Collectors.joining(", "));
    return Optional.of(
        "the rules for "
            + uncompared
            + " follow from the source code of ONNX Runtime and were not compared with such a processor");
  }

  /** {@return the name in a report: {@code avx2}, or {@code avx2 (this machine)} by default} */
  @Override
  public String toString() {
    return isOfThisMachine ? name + " (this machine)" : name;
  }
}
