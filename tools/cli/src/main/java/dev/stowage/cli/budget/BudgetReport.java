package dev.stowage.cli.budget;

import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.shapes.DimensionRange;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The budgets of a model.
 *
 * @param model the memory as a function of dimensions
 * @param shapes the budgets of some shapes
 * @param evidence sentences: what is proved for all shapes, what was sampled, and what is unknown
 * @param fit the largest size that fits, if requested
 * @param cpu the processor; empty for microcontrollers
 * @param engine the engine whose rules the budget follows
 */
public record BudgetReport(
    ModelBudget model,
    List<ShapeBudget> shapes,
    List<Evidence> evidence,
    Optional<BudgetFit> fit,
    Optional<CpuChoice> cpu,
    Engine engine) {

  private static final Comparator<ShapeBudget> BY_BYTES =
      Comparator.comparingLong(shape -> shape.budget().highestBytes());

  public BudgetReport {
    shapes = List.copyOf(shapes);
    evidence = List.copyOf(evidence);
  }

  /**
   * The engine whose rules a budget follows.
   *
   * @param name the name and the version
   * @param isInUse true if the engine in use has this version
   * @param hasVariants true if it orders the operators differently from session to session
   */
  public record Engine(String name, boolean isInUse, boolean hasVariants) {

    /** TensorFlow Lite Micro, of which no other version can be in use. */
    static final Engine MICRO = new Engine("TensorFlow Lite Micro", true, false);
  }

  /**
   * A statement on parts of the budget.
   *
   * @param kind {@code proved}, {@code sampled}, {@code estimate} or {@code unknown}
   * @param sentence the statement
   */
  public record Evidence(String kind, String sentence) {

    /** The kind of statements on memory that is not in the budget. */
    static final String UNKNOWN = "unknown";
  }

  /** {@return the certainty of the bytes of a part} */
  public PartConfidence confidence(MemoryPart part) {
    return PartConfidence.of(part, cpu, engine.isInUse());
  }

  /** {@return sentences on the memory that the budget does not have} */
  public List<String> unknown() {
    return evidence.stream()
        .filter(it -> it.kind().equals(Evidence.UNKNOWN))
        .map(Evidence::sentence)
        .toList();
  }

  /** {@return true if a shape or the requested size fits into the limit, or if there is none} */
  public boolean fits() {
    return fit.filter(it -> it.largest().isPresent()).isPresent()
        || shapes.stream().anyMatch(ShapeBudget::fits);
  }

  /** {@return the ranges of the dimensions with several sizes} */
  public List<DimensionRange> openRanges() {
    return model.ranges().ranges().stream().filter(range -> range.first() < range.last()).toList();
  }

  public ShapeBudget largest() {
    return Collections.max(shapes, BY_BYTES);
  }

  /** {@return a sentence on the missing bytes if no shape fits into the limit; otherwise empty} */
  public Optional<String> shortage() {
    if (fits()) {
      return Optional.empty();
    }
    ShapeBudget smallest = Collections.min(shapes, BY_BYTES);
    long limitBytes = smallest.service().limitBytes().orElseThrow();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "no shape fits into the limit of %s; the smallest budget%s is %s above it",
            ByteUnit.sentence(limitBytes),
            smallest.dimensions().isEmpty()
                ? ""
                : ", at " + Printable.of(smallest.shapeText()) + ",",
            ByteUnit.sentence(smallest.budget().highestBytes() - limitBytes)));
  }
}
