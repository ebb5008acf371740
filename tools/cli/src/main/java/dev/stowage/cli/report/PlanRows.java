package dev.stowage.cli.report;

import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.plan.search.SearchResult;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The plans of a report for programs: an object of JSON or a line of CSV for each. */
final class PlanRows {

  /** The columns of CSV that come first, for programs that read columns by their position. */
  private static final String[] FIRST_COLUMNS = {
    "input",
    "strategy",
    "kind",
    "total_bytes",
    "lower_bound_bytes",
    "optimal",
    "seconds",
    "nodes",
    "ended"
  };

  private PlanRows() {}

  /** {@return the plans with their offsets or objects} */
  static Table<Plan> json(PlanReport report) {
    return rows(report, Figure.none());
  }

  /** {@return the plans without their offsets} */
  static Table<Plan> csv(PlanReport report) {
    // If a signal ended the planning, the plans without a search have the end "interrupted".
    Figure noSearch = report.isInterrupted() ? Figure.text("interrupted") : Figure.none();
    return Table.named("plans", report.plans())
        .data("input", _ -> Figure.text(report.input().file().path()))
        .data(rows(report, noSearch))
        .data("kernels", _ -> Figure.of(report.micro(), it -> MicroAnswer.kernels(it.memory())))
        .data(
            "lower_bound_bytes",
            plan ->
                plan instanceof Plan.Textures
                    ? Figure.none()
                    : Figure.bytes(report.boundBytes(plan)))
        .startingWith(FIRST_COLUMNS);
  }

  /**
   * {@return the figures of each plan}
   *
   * @param noSearch the end of a plan without a search
   */
  private static Table<Plan> rows(PlanReport report, Figure noSearch) {
    return Table.named("plans", report.plans())
        .text("strategy", Table.HIDDEN, Plan::name)
        .text("kind", Table.HIDDEN, plan -> plan instanceof Plan.Offsets ? "offsets" : "objects")
        .data("total_bytes", PlanRows::totalBytes)
        .data("total_texels", PlanRows::totalTexels)
        .data("head_bytes", plan -> micro(plan, report, MicroMemory.Size::headBytes))
        .data("tail_bytes", plan -> micro(plan, report, MicroMemory.Size::tailBytes))
        .data("arena_bytes", plan -> micro(plan, report, MicroMemory.Size::arenaBytes))
        .json("offsets", PlanRows::offsets)
        .json("object_ids", PlanRows::objectIds)
        .json("object_sizes", PlanRows::objectSizes)
        .data("optimal", plan -> new Figure.Flag(report.isOptimal(plan)))
        .data("seconds", plan -> seconds(plan.seconds()))
        .json("lower_bound", plan -> search(plan, it -> Figure.bytes(it.lowerBoundBytes())))
        .data("nodes", plan -> search(plan, it -> Figure.count(it.nodes())))
        .data("ended", plan -> plan.search().map(PlanRows::end).orElse(noSearch));
  }

  private static Figure seconds(OptionalDouble seconds) {
    return seconds.isPresent() ? new Figure.Seconds(seconds.getAsDouble()) : Figure.none();
  }

  private static Figure totalBytes(Plan plan) {
    return plan instanceof Plan.Textures ? Figure.none() : Figure.bytes(plan.size());
  }

  private static Figure totalTexels(Plan plan) {
    return plan instanceof Plan.Textures ? Figure.count(plan.size()) : Figure.none();
  }

  /** {@return a part of the memory in TensorFlow Lite Micro with a plan in the file} */
  private static Figure micro(
      Plan plan, PlanReport report, ToLongFunction<MicroMemory.Size> bytes) {
    return Figure.of(
        report
            .micro()
            .flatMap(
                micro -> plan.strategy().flatMap(it -> Optional.ofNullable(micro.sizes().get(it)))),
        size -> Figure.bytes(bytes.applyAsLong(size)));
  }

  private static Figure offsets(Plan plan) {
    return plan instanceof Plan.Offsets offsets
        ? new Figure.Longs(offsets.assignment().offsets())
        : Figure.none();
  }

  private static Figure objectIds(Plan plan) {
    return switch (plan) {
      case Plan.Offsets _ -> Figure.none();
      case Plan.Objects objects ->
          new Figure.Longs(
              Arrays.stream(objects.assignment().objectIds()).asLongStream().toArray());
      case Plan.Textures textures -> Figure.longs(textures.assignment().objectIds().stream());
    };
  }

  private static Figure objectSizes(Plan plan) {
    return switch (plan) {
      case Plan.Offsets _ -> Figure.none();
      case Plan.Objects objects -> new Figure.Longs(objects.assignment().objectBytes());
      case Plan.Textures textures ->
          Figure.sequence(textures.assignment().objectExtents(), PlanRecords::extent);
    };
  }

  private static Figure search(Plan plan, Function<SearchResult<?>, Figure> figure) {
    return plan.search().map(figure).orElseGet(Figure::none);
  }

  private static Figure end(SearchResult<?> search) {
    return Figure.text(search.end().name().toLowerCase(Locale.ROOT));
  }
}
