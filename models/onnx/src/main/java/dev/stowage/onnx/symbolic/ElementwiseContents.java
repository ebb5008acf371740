package dev.stowage.onnx.symbolic;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The elements of the results of elementwise operators on tensors with known elements. */
final class ElementwiseContents {

  private final OperatorCall call;
  private final Sizing sizing;

  private ElementwiseContents(OperatorCall call) {
    this.call = call;
    this.sizing = call.sizing();
  }

  /** {@return the elements of a result, if the elements of all inputs are known} */
  static Optional<SymbolicContents> of(OperatorCall call, SymbolicValue result) {
    for (int i = 0; i < call.inputCount(); i++) {
      if (call.has(i) && call.input(i).contents().isEmpty()) {
        return Optional.empty();
      }
    }
    return new ElementwiseContents(call).contents(result.shape().orElseThrow());
  }

  private Optional<SymbolicContents> contents(SymbolicShape shape) {
    boolean isUniform = true;
    for (int i = 0; i < call.inputCount(); i++) {
      isUniform &=
          !call.has(i)
              || call.input(i).contents().orElseThrow() instanceof SymbolicContents.Uniform
              || call.input(i).listed().filter(elements -> elements.size() == 1).isPresent();
    }
    if (isUniform) {
      List<Quantity> operands = new ArrayList<>();
      for (int i = 0; i < call.inputCount() && call.has(i); i++) {
        operands.add(call.input(i).contents().orElseThrow().at(0));
      }
      return element(operands).map(SymbolicContents.Uniform::new);
    }
    return shape.constants().flatMap(this::listed);
  }

  private Optional<SymbolicContents> listed(int[] shape) {
    long count = 1;
    for (int dimension : shape) {
      count = Math.min(count * dimension, SymbolicContents.MAX_COUNT + 1);
    }
    if (count > SymbolicContents.MAX_COUNT) {
      return Optional.empty();
    }
    List<Quantity> elements = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      List<Quantity> operands = new ArrayList<>();
      for (int i = 0; i < call.inputCount() && call.has(i); i++) {
        Optional<int[]> dimensions = call.shape(i).constants();
        if (dimensions.isEmpty() || !Broadcasting.isOperand(dimensions.get(), shape)) {
          return Optional.empty();
        }
        operands.add(
            call.input(i)
                .contents()
                .orElseThrow()
                .at(Broadcasting.indexIn(index, shape, dimensions.get())));
      }
      Optional<Quantity> element = element(operands);
      if (element.isEmpty()) {
        return Optional.empty();
      }
      elements.add(element.get());
    }
    return Optional.of(new SymbolicContents.Listed(elements));
  }

  /** {@return one element; a number that is not known is a symbol}, or empty for other operators */
  private Optional<Quantity> element(List<Quantity> operands) {
    if (operands.isEmpty()) {
      return Optional.empty();
    }
    Quantity first = operands.getFirst();
    Quantity last = operands.getLast();
    return switch (call.operator()) {
      case "Add", "Sum" -> operands.stream().reduce(Quantity::plus);
      case "Sub" -> Optional.of(first.minus(last));
      case "Mul" -> operands.stream().reduce(Quantity::times);
      case "Div" -> Optional.of(quotient(first, last));
      case "Mod" -> Optional.of(remainder(first, last));
      case "Neg" -> Optional.of(first.negated());
      case "Reciprocal" -> Optional.of(quotient(Quantity.of(1), first));
      case "Floor" -> Optional.of(floor(first));
      case "Ceil" -> Optional.of(Quantity.of(first.ceil()));
      case "Abs" -> Optional.of(sizing.isAtLeast(first.numerator(), 0) ? first : any());
      case "Relu" -> Optional.of(larger(first, Quantity.of(0)));
      case "Clip" -> Optional.of(clipped(operands));
      case "Min" -> operands.stream().reduce(this::smaller);
      case "Max" -> operands.stream().reduce(this::larger);
      case "Cast", "CastLike" -> Optional.of(cast(first));
      case "Equal" -> Optional.of(truth(equal(first, last)));
      case "Less" -> Optional.of(truth(less(first, last)));
      case "Greater" -> Optional.of(truth(less(last, first)));
      case "LessOrEqual" -> Optional.of(truth(less(last, first).map(is -> !is)));
      case "GreaterOrEqual" -> Optional.of(truth(less(first, last).map(is -> !is)));
      case "Not" -> Optional.of(truth(truthOf(first).map(is -> !is)));
      case "And" -> Optional.of(truth(and(truthOf(first), truthOf(last))));
      case "Or" ->
          Optional.of(
              truth(
                  and(truthOf(first).map(is -> !is), truthOf(last).map(is -> !is)).map(is -> !is)));
      case "Where" -> Optional.of(where(operands));
      case "Identity", "Dropout" -> Optional.of(first);
      case "Round" -> first.isWhole() ? Optional.of(first) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Quantity any() {
    return call.unknownNumber();
  }

  private static Quantity floor(Quantity of) {
    return Quantity.of(of.floor());
  }

  private boolean isInteger() {
    return ElementNumbers.isInteger(call.code(0));
  }

  private Quantity quotient(Quantity dividend, Quantity divisor) {
    OptionalLong negative = divisor.constant();
    if (negative.isPresent() && negative.getAsLong() < 0) {
      return quotient(dividend.negated(), divisor.negated());
    }
    if (!sizing.isAtLeast(divisor.numerator(), 1)) {
      return any();
    }
    Quantity exact = dividend.times(divisor.inverse());
    if (!isInteger()) {
      return exact;
    }
    // Integers are rounded towards 0.
    return sizing.isAtLeast(dividend.numerator(), 0) || exact.isWhole() ? floor(exact) : any();
  }

  private Quantity remainder(Quantity dividend, Quantity divisor) {
    if (!isInteger()
        || !sizing.isAtLeast(divisor.numerator(), 1)
        || !sizing.isAtLeast(dividend.numerator(), 0)) {
      return any();
    }
    return dividend.minus(floor(dividend.times(divisor.inverse())).times(divisor));
  }

  private Quantity clipped(List<Quantity> operands) {
    // Older versions have the limits as attributes, which shapes do not use.
    if (call.version() < 11 || operands.size() != 3) {
      return any();
    }
    return smaller(larger(operands.getFirst(), operands.get(1)), operands.get(2));
  }

  private Quantity smaller(Quantity one, Quantity other) {
    return one.isWhole() && other.isWhole()
        ? Quantity.of(sizing.smaller(one.numerator(), other.numerator()))
        : any();
  }

  private Quantity larger(Quantity one, Quantity other) {
    return one.isWhole() && other.isWhole()
        ? Quantity.of(sizing.larger(one.numerator(), other.numerator()))
        : any();
  }

  private Quantity cast(Quantity from) {
    int code = call.operator().equals("Cast") ? (int) call.integer("to", 0) : call.code(1);
    if (code == ElementType.BOOL.code()) {
      return truth(equal(from, Quantity.of(0)).map(is -> !is));
    }
    if (!ElementNumbers.isInteger(code) || from.isWhole()) {
      return from;
    }
    return sizing.isAtLeast(from.numerator(), 0) ? floor(from) : any();
  }

  private Quantity truth(Optional<Boolean> is) {
    return is.map(known -> Quantity.of(known ? 1 : 0)).orElseGet(this::any);
  }

  private Optional<Boolean> truthOf(Quantity quantity) {
    return equal(quantity, Quantity.of(0)).map(is -> !is);
  }

  private static Optional<Boolean> and(Optional<Boolean> one, Optional<Boolean> other) {
    if (one.isPresent() && other.isPresent()) {
      return Optional.of(one.get() && other.get());
    }
    boolean isFalse = !one.orElse(true) || !other.orElse(true);
    return isFalse ? Optional.of(false) : Optional.empty();
  }

  private Optional<Boolean> equal(Quantity one, Quantity other) {
    SizeExpression difference = one.minus(other).numerator();
    if (difference.constant().isPresent()) {
      return Optional.of(difference.constant().getAsLong() == 0);
    }
    return sizing.isAtLeast(difference, 1) || sizing.isAtMost(difference, -1)
        ? Optional.of(false)
        : Optional.empty();
  }

  private Optional<Boolean> less(Quantity one, Quantity other) {
    SizeExpression difference = other.minus(one).numerator();
    if (sizing.isAtLeast(difference, 1)) {
      return Optional.of(true);
    }
    return sizing.isAtMost(difference, 0) ? Optional.of(false) : Optional.empty();
  }

  private Quantity where(List<Quantity> operands) {
    Optional<Boolean> condition = truthOf(operands.getFirst());
    if (condition.isPresent()) {
      return operands.get(condition.get() ? 1 : 2);
    }
    return operands.get(1).equals(operands.get(2)) ? operands.get(1) : any();
  }
}
