package dev.stowage.cli.plan;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The plans of all strategies for one input.
 *
 * @param bounds the lower bounds of all plans; empty for textures
 * @param plans the plans, in the order of the strategies; the last one can be XLA's own plan
 * @param notes sentences for the user, for example on skipped strategies
 * @param parts the parts on request, at most one of each kind
 * @param isInterrupted true if a signal ended the planning, so that plans could be missing
 */
public record PlanReport(
    PlanInput input,
    Optional<LowerBounds> bounds,
    List<Plan> plans,
    List<String> notes,
    List<PlanPart> parts,
    boolean isInterrupted) {

  /** The note on planning that a signal ended. */
  public static final String INTERRUPTED = "interrupted: plans are missing or could be smaller";

  private static final Comparator<Plan.Offsets> BEST_FIRST =
      Comparator.comparingLong(Plan.Offsets::totalBytes)
          .thenComparing(
              plan -> plan.strategy().filter(MemoryStrategy::derivesOffsets).isPresent());

  public PlanReport {
    plans = List.copyOf(plans);
    notes = List.copyOf(notes);
    parts = List.copyOf(parts);
  }

  /** {@return a report without notes and parts} */
  public static PlanReport of(PlanInput input, Optional<LowerBounds> bounds, List<Plan> plans) {
    return new PlanReport(input, bounds, plans, List.of(), List.of(), false);
  }

  /** {@return this report with a part, in place of one of the same kind} */
  PlanReport with(PlanPart part) {
    Stream<PlanPart> others = parts.stream().filter(it -> !it.getClass().equals(part.getClass()));
    List<PlanPart> all = Stream.concat(others, Stream.of(part)).toList();
    return new PlanReport(input, bounds, plans, notes, all, isInterrupted);
  }

  /** {@return this report with more notes} */
  PlanReport withNotes(List<String> more) {
    List<String> all = Stream.concat(notes.stream(), more.stream()).toList();
    return new PlanReport(input, bounds, plans, all, parts, isInterrupted);
  }

  /** {@return this report of planning that a signal ended} */
  PlanReport interrupted() {
    return isInterrupted
        ? this
        : new PlanReport(input, bounds, plans, notes, parts, true).withNotes(List.of(INTERRUPTED));
  }

  /** {@return the reason that there is no smaller plan, if requested} */
  public Optional<Explanation> explanation() {
    return part(Explanation.class);
  }

  /** {@return the figures of TensorFlow Lite Micro, if the input is planned for it} */
  public Optional<MicroReport> micro() {
    return part(MicroReport.class);
  }

  /** {@return the order of the operators in the file and the best one, if requested} */
  public Optional<OrderComparison> order() {
    return part(OrderComparison.class);
  }

  /** {@return the arenas of single shapes and of parts of the shapes, if dimensions have ranges} */
  public Optional<RangeReport> ranges() {
    return part(RangeReport.class);
  }

  private <T extends PlanPart> Optional<T> part(Class<T> kind) {
    return parts.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  /** {@return true if another order needs less; the plans are for the order of the file} */
  public boolean isReordered() {
    return order().filter(OrderComparison::isReordered).isPresent();
  }

  /** {@return the lower bound of offsets plans: the load, or a higher bound from a search} */
  public long offsetsBoundBytes() {
    return bound(searched(), bounds.orElseThrow().offsetsBytes());
  }

  /**
   * {@return the lower bound of objects plans: the sum of the positional maximums, or a higher
   * bound from a search}
   */
  public long objectsBoundBytes() {
    return bound(
        objectsPlans().stream().filter(plan -> plan.search().isPresent()).findFirst(),
        bounds.orElseThrow().objectsBytes());
  }

  private static long bound(Optional<? extends Plan> searched, long leastBytes) {
    return searched
        .flatMap(Plan::search)
        .map(found -> Math.max(found.lowerBoundBytes(), leastBytes))
        .orElse(leastBytes);
  }

  /** {@return the lower bound of plans of the same kind; 0 for textures} */
  public long boundBytes(Plan plan) {
    return switch (plan) {
      case Plan.Offsets _ -> offsetsBoundBytes();
      case Plan.Objects _ -> objectsBoundBytes();
      case Plan.Textures _ -> 0;
    };
  }

  /** {@return true if it is proved that no plan of the same kind is smaller} */
  public boolean isOptimal(Plan plan) {
    return plan.size() == boundBytes(plan);
  }

  /** {@return the offsets plans of strategies} */
  public List<Plan.Offsets> offsetsPlans() {
    return plansOf(Plan.Offsets.class).stream()
        .filter(plan -> plan.strategy().isPresent())
        .toList();
  }

  /**
   * {@return the offsets plans for tables}
   *
   * <p>If the report has objects plans, offsets that follow from objects are omitted unless they
   * are the best.
   */
  public List<Plan.Offsets> shownOffsetsPlans() {
    Optional<Plan.Offsets> best = bestOffsets();
    return plansOf(Plan.Offsets.class).stream()
        .filter(plan ->
            objectsPlans().isEmpty()
                || plan.strategy().filter(MemoryStrategy::derivesOffsets).isEmpty()
                || best.filter(plan::equals).isPresent())
        .toList();
  }

  public List<Plan.Objects> objectsPlans() {
    return plansOf(Plan.Objects.class);
  }

  public List<Plan.Textures> texturePlans() {
    return plansOf(Plan.Textures.class);
  }

  /** {@return the smallest offsets plan; of equal ones one planned as offsets, then the first} */
  public Optional<Plan.Offsets> bestOffsets() {
    return offsetsPlans().stream().min(BEST_FIRST);
  }

  /** {@return the offsets plan that a search found} */
  public Optional<Plan.Offsets> searched() {
    return offsetsPlans().stream().filter(plan -> plan.search().isPresent()).findFirst();
  }

  /** {@return true if a search reached its time limit} */
  public boolean isOutOfTime() {
    return plans.stream()
        .flatMap(plan -> plan.search().stream())
        .anyMatch(search -> search.end() == SearchEnd.TIME_LIMIT);
  }

  /** {@return XLA's own plan, if the input is a dump of its program and the plan is valid} */
  public Optional<Plan.Offsets> planOfXla() {
    return plansOf(Plan.Offsets.class).stream()
        .filter(plan -> plan.strategy().isEmpty())
        .findFirst();
  }

  /** {@return the smallest objects plan; of equal ones the first} */
  public Optional<Plan.Objects> bestObjects() {
    return objectsPlans().stream().min(Comparator.comparingLong(Plan.Objects::totalBytes));
  }

  /**
   * {@return the picture of the plans of the table: offsets, then objects}
   *
   * <p>Their bounds include the bounds that searches proved. The best offsets plan, which the
   * report must have, is shown first.
   *
   * @param capacityBytes the bytes that a plan must fit into; empty if they are not limited
   */
  public PlanPicture picture(OptionalLong capacityBytes) {
    PlanInput.Tensors tensors = (PlanInput.Tensors) input;
    List<Plan.Offsets> offsets = shownOffsetsPlans();
    List<ShownPlan> shown = new ArrayList<>();
    for (Plan.Offsets plan : offsets) {
      shown.add(ShownPlan.of(plan.name(), plan.assignment(), boundBytes(plan), isOptimal(plan)));
    }
    for (Plan.Objects plan : objectsPlans()) {
      shown.add(ShownPlan.of(plan.name(), plan.assignment(), boundBytes(plan), isOptimal(plan)));
    }
    return new PlanPicture(
        Printable.of(String.valueOf(Path.of(input.file().path()).getFileName())),
        input.file().tasks(),
        tensors.labels(),
        tensors.problem(),
        shown,
        offsets.indexOf(bestOffsets().orElseThrow()),
        capacityBytes);
  }

  private <T extends Plan> List<T> plansOf(Class<T> kind) {
    return plans.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
