package dev.stowage.cli.budget;

import dev.stowage.budget.ModelBudget;
import dev.stowage.pages.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The measured memory of a service.
 *
 * @param input the file as on the command line
 * @param request the service
 * @param machine the machine
 * @param load the steps of the load with the largest shape
 * @param curve the memory at each shape, ascending; it ends where the machine has too little memory
 * @param more the answers to the other questions
 */
public record BudgetReport(
    String input,
    BudgetRequest request,
    String machine,
    MeasuredSteps load,
    List<BudgetShape> curve,
    More more) {

  public BudgetReport {
    curve = List.copyOf(curve);
  }

  /**
   * The answers to the other questions.
   *
   * @param arrivedBytes the most bytes of the requests in the order of their arrival, if given
   * @param inputBytes the bytes of the inputs of all requests at the same time
   * @param remedies the memory with other settings; empty if not requested
   * @param fit the largest size that fits, if requested
   * @param samples the samples for programs, if requested
   */
  public record More(
      OptionalLong arrivedBytes,
      long inputBytes,
      List<Remedy.Result> remedies,
      Optional<BudgetFit> fit,
      Optional<ModelBudget> samples) {}

  /**
   * {@return the bytes of a measured process, with the service's Java virtual machine in place of
   * its own}
   */
  static long counted(long residentBytes, MeasuredSteps steps, BudgetRequest request) {
    return residentBytes
        - steps.startBytes()
        + request.processParts(steps).stream().mapToLong(BudgetPart::bytes).sum();
  }

  /** {@return true if the budget has the heap and the other parts of the Java process} */
  public boolean hasProcess() {
    return !processParts().isEmpty();
  }

  /** {@return the most bytes} */
  public long highestBytes() {
    long ofLoad = counted(load.highestBytes(), load, request);
    return Math.max(ofLoad, curve.isEmpty() ? 0 : curve.getLast().highestBytes());
  }

  /** {@return the bytes after the largest request} */
  public OptionalLong keptBytes() {
    OptionalLong kept = load.keptBytes();
    return kept.isEmpty() ? kept : OptionalLong.of(counted(kept.getAsLong(), load, request));
  }

  /** {@return the limit to set; empty if the memory still grows or the machine has too little} */
  public OptionalLong limitBytes() {
    return load.isSettled()
        ? OptionalLong.of(BudgetShape.limit(highestBytes()))
        : OptionalLong.empty();
  }

  /** {@return the largest shape that was measured} */
  public BudgetShape largest() {
    return curve.getLast();
  }

  /** {@return the largest shape after its preposition: {@code " at batch=16"}; empty if none} */
  public String at() {
    return largest().dimensions().isEmpty() ? "" : " at " + Printable.of(largest().text());
  }

  /**
   * {@return the limit to set for a shape of the curve; empty if there is none, or if the shape was
   * not measured under load}
   */
  public OptionalLong limitBytes(BudgetShape shape) {
    return shape.equals(largest())
        ? limitBytes()
        : request.service().concurrent() == 1
            ? OptionalLong.of(shape.limitBytes())
            : OptionalLong.empty();
  }

  /** {@return the parts of the Java process; none if the budget does not include it} */
  public List<BudgetPart> processParts() {
    return request.processParts(load);
  }

  /** {@return the parts of the most bytes; their sum is {@link #highestBytes()}} */
  public List<BudgetPart> parts() {
    List<BudgetPart> parts = new ArrayList<>(processParts());
    parts.add(BudgetPart.of("engine", load.engineBytes()));
    parts.add(BudgetPart.of("weights and session", load.firstSessionBytes()));
    if (request.service().sessions() > 1) {
      parts.add(BudgetPart.of("further sessions", load.furtherSessionsBytes()));
    }
    parts.add(BudgetPart.of("runs", highestBytes() - counted(load.loadedBytes(), load, request)));
    return parts;
  }

  /**
   * {@return true if a shape or the requested size is known to fit into the limit, or if there is
   * none}
   */
  public boolean fits() {
    OptionalLong limit = request.service().limitBytes();
    if (more.fit().isPresent()) {
      return more.fit().get().largest().isPresent();
    }
    return limit.isEmpty() || curve.stream().anyMatch(shape -> fits(shape).orElse(false));
  }

  /** {@return true if the largest shape fits into the limit, or if there is none} */
  public boolean fitsLargest() {
    OptionalLong limit = request.service().limitBytes();
    OptionalLong needed = limitBytes();
    return limit.isEmpty() || (needed.isPresent() && needed.getAsLong() <= limit.getAsLong());
  }

  /**
   * {@return true if there is no limit, or if the limit to set for a shape is not larger; empty if
   * only the load could tell}
   */
  public Optional<Boolean> fits(BudgetShape shape) {
    if (fitsLargest()) {
      return Optional.of(true);
    }
    // Single rounds are a lower bound.
    boolean exceeds = shape.limitBytes() > request.service().limitBytes().orElseThrow();
    return exceeds || shape.equals(largest())
        ? Optional.of(false)
        : limitBytes(shape).isPresent() ? Optional.of(true) : Optional.empty();
  }
}
