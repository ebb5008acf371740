package dev.stowage.fleet.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The figures of a result in tables.
 *
 * @param before the bytes without Stowage: of tensors that share nothing, or with the recorded
 *     settings of an allocator
 * @param bytes the bytes of the best plan, of the service, or that the allocator reserves
 * @param bound the bytes that are needed in any case
 * @param choice the strategy or the settings with which {@code bytes} are enough; empty if there is
 *     no choice
 * @param failures the failed requests
 */
public record Figures(
    OptionalLong before, OptionalLong bytes, OptionalLong bound, String choice, long failures) {

  static final Figures NONE =
      new Figures(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), "", 0);

  /** {@return the figures of the outputs of a command, of which the largest bytes count} */
  static Figures of(List<JsonTree> outputs) {
    return outputs.stream()
        .map(Figures::of)
        .max(Comparator.comparingLong(figures -> figures.bytes.orElse(-1)))
        .orElse(NONE);
  }

  private static Figures of(JsonTree output) {
    if (output.has("plans")) {
      return plan(output);
    }
    if (output.has("maximum_plan")) {
      OptionalLong bytes = output.object("maximum_plan").orElseThrow().number("arena_bytes");
      return new Figures(OptionalLong.empty(), bytes, OptionalLong.empty(), "", 0);
    }
    if (output.has("predicted_bytes")) {
      OptionalLong none = OptionalLong.empty();
      return new Figures(none, output.number("predicted_bytes"), none, "", 0);
    }
    if (output.has("settings") && output.has("replays")) {
      return tuning(output);
    }
    return new Figures(
        OptionalLong.empty(),
        output.number("peak_reserved_bytes"),
        output.number("peak_requested_bytes"),
        output.text("settings"),
        output.number("failures").orElse(0));
  }

  private static Figures plan(JsonTree output) {
    List<JsonTree> plans = output.objects("plans");
    boolean hasOffsets = plans.stream().anyMatch(Figures::isOffsets);
    Optional<JsonTree> best =
        plans.stream()
            .filter(plan -> isOffsets(plan) == hasOffsets)
            .filter(plan -> plan.number("total_bytes").isPresent())
            .min(Comparator.comparingLong(plan -> plan.number("total_bytes").orElse(0)));
    OptionalLong bytes = best.map(plan -> plan.number("total_bytes")).orElse(OptionalLong.empty());
    boolean isOptimal = best.filter(plan -> plan.isTrue("optimal")).isPresent();
    OptionalLong bound =
        output
            .object("lower_bounds")
            .map(bounds -> bounds.number(hasOffsets ? "offsets" : "objects"))
            .orElse(OptionalLong.empty());
    return new Figures(
        output.number("naive_bytes"),
        bytes,
        isOptimal ? bytes : bound,
        best.map(plan -> plan.text("strategy")).orElse(""),
        0);
  }

  private static boolean isOffsets(JsonTree plan) {
    return plan.text("kind").equals("offsets");
  }

  private static Figures tuning(JsonTree output) {
    List<JsonTree> settings = output.objects("settings");
    if (settings.isEmpty()) {
      return NONE;
    }
    JsonTree best = settings.get(0);
    OptionalLong baseline =
        settings.stream()
            .filter(row -> row.isTrue("baseline"))
            .map(row -> row.number("peak_reserved_bytes"))
            .findFirst()
            .orElse(OptionalLong.empty());
    return new Figures(
        baseline,
        best.number("peak_reserved_bytes"),
        output.number("hindsight_bytes"),
        best.text("settings"),
        best.number("failures").orElse(0));
  }
}
