package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Expressions in a form that is evaluated fast: a list of instructions, one for each different
 * intermediate result.
 *
 * <p>Evaluation does not check for overflow, and costs a few nanoseconds for each instruction.
 */
final class SizeProgram {

  private enum Kind {
    DIMENSION,
    CONSTANT,
    SUM,
    PRODUCT,
    QUOTIENT,
    MAXIMUM
  }

  /** The result of {@code kind} for two earlier results, or a constant or dimension {@code a}. */
  private record Instruction(Kind kind, long a, long b) {}

  private final Kind[] kinds;
  private final long[] constants;
  private final int[] lefts;
  private final int[] rights;

  /** The instruction with the value of each expression. */
  private final int[] results;

  private SizeProgram(List<Instruction> instructions, int[] results) {
    int count = instructions.size();
    this.kinds = new Kind[count];
    this.constants = new long[count];
    this.lefts = new int[count];
    this.rights = new int[count];
    this.results = results;
    for (int i = 0; i < count; i++) {
      Instruction instruction = instructions.get(i);
      kinds[i] = instruction.kind();
      if (instruction.kind() == Kind.CONSTANT) {
        constants[i] = instruction.a();
      } else {
        lefts[i] = (int) instruction.a();
        rights[i] = (int) instruction.b();
      }
    }
  }

  /** {@return a program for expressions of some dimensions} */
  static SizeProgram of(List<SizeExpression> expressions, List<String> dimensions) {
    Compiler compiler = new Compiler(dimensions);
    int[] results =
        expressions.stream().map(SizeExpression::polynomial).mapToInt(compiler::add).toArray();
    return new SizeProgram(compiler.instructions, results);
  }

  /** {@return the value of each expression for the given dimensions} */
  long[] evaluate(long[] dimensions) {
    long[] values = new long[kinds.length];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (kinds[i]) {
            case DIMENSION -> dimensions[lefts[i]];
            case CONSTANT -> constants[i];
            case SUM -> values[lefts[i]] + values[rights[i]];
            case PRODUCT -> values[lefts[i]] * values[rights[i]];
            case QUOTIENT -> Math.floorDiv(values[lefts[i]], values[rights[i]]);
            case MAXIMUM -> Math.max(values[lefts[i]], values[rights[i]]);
          };
    }
    long[] evaluated = new long[results.length];
    for (int i = 0; i < evaluated.length; i++) {
      evaluated[i] = values[results[i]];
    }
    return evaluated;
  }

  /** Adds instructions for expressions, and reuses equal ones. */
  private static final class Compiler {

    private final List<String> dimensions;
    private final List<Instruction> instructions = new ArrayList<>();
    private final Map<Instruction, Integer> indices = new HashMap<>();
    private final Map<Polynomial, Integer> expressions = new HashMap<>();

    Compiler(List<String> dimensions) {
      this.dimensions = dimensions;
    }

    int add(Polynomial expression) {
      Integer known = expressions.get(expression);
      if (known != null) {
        return known;
      }
      int sum = -1;
      for (Polynomial.Term term : expression.terms()) {
        int value = add(term);
        sum = sum < 0 ? value : add(Kind.SUM, sum, value);
      }
      int result = sum < 0 ? add(Kind.CONSTANT, 0, 0) : sum;
      expressions.put(expression, result);
      return result;
    }

    private int add(Polynomial.Term term) {
      int product = -1;
      for (Monomial.Factor factor : term.monomial().factors()) {
        int value = add(factor.atom());
        for (int i = 0; i < factor.power(); i++) {
          product = product < 0 ? value : add(Kind.PRODUCT, product, value);
        }
      }
      if (product < 0 || term.coefficient() != 1) {
        int coefficient = add(Kind.CONSTANT, term.coefficient(), 0);
        product = product < 0 ? coefficient : add(Kind.PRODUCT, product, coefficient);
      }
      return product;
    }

    private int add(Atom atom) {
      return switch (atom) {
        case Atom.Dimension dimension ->
            add(Kind.DIMENSION, dimensions.indexOf(dimension.name()), 0);
        case Atom.Quotient quotient -> {
          int dividend = add(quotient.dividend());
          yield add(Kind.QUOTIENT, dividend, add(quotient.divisor()));
        }
        case Atom.Maximum maximum -> {
          int largest = add(maximum.arguments().getFirst());
          for (Polynomial argument : maximum.arguments().subList(1, maximum.arguments().size())) {
            largest = add(Kind.MAXIMUM, largest, add(argument));
          }
          yield largest;
        }
      };
    }

    private int add(Kind kind, long a, long b) {
      Instruction instruction = new Instruction(kind, a, b);
      Integer known = indices.putIfAbsent(instruction, instructions.size());
      if (known != null) {
        return known;
      }
      instructions.add(instruction);
      return instructions.size() - 1;
    }
  }
}
