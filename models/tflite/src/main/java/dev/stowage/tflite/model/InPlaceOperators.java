package dev.stowage.tflite.model;

import java.util.Map;
import java.util.Optional;
import org.tensorflow.lite.schema.BuiltinOperator;

/** The operators of a runtime that may write their result over an input. */
public enum InPlaceOperators {
  /**
   * TensorFlow Lite's kernels declare these operators as in place: {@code ADD}, {@code SUB}, {@code
   * MUL} and {@code DIV} over the first or the second input; {@code SOFTMAX} and {@code
   * DYNAMIC_UPDATE_SLICE} over the first; and {@code RESHAPE}, {@code SQUEEZE}, {@code EXPAND_DIMS}
   * and {@code BITCAST}, which return the bytes of the first input.
   *
   * <p>Source: {@code inplace_operator} in {@code tflite/kernels} of LiteRT. As in its {@code
   * ArenaPlanner}, an input that an operator changes has more than four bytes.
   */
  TENSORFLOW_LITE(
      Map.ofEntries(
          Map.entry(BuiltinOperator.ADD, Rule.changing(2)),
          Map.entry(BuiltinOperator.SUB, Rule.changing(2)),
          Map.entry(BuiltinOperator.MUL, Rule.changing(2)),
          Map.entry(BuiltinOperator.DIV, Rule.changing(2)),
          Map.entry(BuiltinOperator.SOFTMAX, Rule.changing(1)),
          Map.entry(BuiltinOperator.DYNAMIC_UPDATE_SLICE, Rule.changing(1)),
          Map.entry(BuiltinOperator.RESHAPE, Rule.KEEPING),
          Map.entry(BuiltinOperator.SQUEEZE, Rule.KEEPING),
          Map.entry(BuiltinOperator.EXPAND_DIMS, Rule.KEEPING),
          Map.entry(BuiltinOperator.BITCAST, Rule.KEEPING))),

  /**
   * The operators with reference kernels in TensorFlow Lite Micro that support one buffer for their
   * first input and their result: {@code RESHAPE} and {@code DYNAMIC_UPDATE_SLICE}.
   */
  TENSORFLOW_LITE_MICRO(
      Map.of(
          BuiltinOperator.RESHAPE,
          Rule.KEEPING,
          BuiltinOperator.DYNAMIC_UPDATE_SLICE,
          new Rule(1, 1)));

  /**
   * The inputs of an operator that it may write over.
   *
   * @param inputCount only the first inputs, up to this number
   * @param minBytes the least number of bytes of such an input
   */
  public record Rule(int inputCount, long minBytes) {

    /** ArenaPlanner takes an input up to this size for a broadcast scalar. */
    private static final int SCALAR_BYTES = 4;

    /** The rule of an operator that returns the bytes of its first input. */
    static final Rule KEEPING = new Rule(1, 1);

    /** {@return the rule of an operator that changes the bytes of its input} */
    static Rule changing(int inputCount) {
      return new Rule(inputCount, SCALAR_BYTES + 1);
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // Map.of and Map.ofEntries return immutable maps
  private final Map<Integer, Rule> rules;

  InPlaceOperators(Map<Integer, Rule> rules) {
    this.rules = rules;
  }

  /**
   * {@return the rule for an operator; empty if it needs two buffers}
   *
   * @param builtinCode the code of the operator in the schema
   */
  public Optional<Rule> rule(int builtinCode) {
    return Optional.ofNullable(rules.get(builtinCode));
  }
}
