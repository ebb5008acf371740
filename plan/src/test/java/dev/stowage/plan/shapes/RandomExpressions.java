package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Random expressions, each as text together with a naive evaluation of that text's tree. */
final class RandomExpressions {

  /** An expression as a tree, evaluated without any simplification. */
  interface Tree {
    long value(DimensionValues values);

    String text();

    SizeExpression expression();
  }

  static final List<String> NAMES = List.of("a", "b", "c");

  private final Random random;

  RandomExpressions(Random random) {
    this.random = random;
  }

  Tree next(int depth) {
    int kind = depth == 0 ? random.nextInt(2) : random.nextInt(11);
    return switch (kind) {
      case 0 -> constant(random.nextInt(-6, 13));
      case 1, 2 -> dimension(NAMES.get(random.nextInt(NAMES.size())));
      case 3, 4 -> {
        Tree x = next(depth - 1);
        Tree y = next(depth - 1);
        yield tree(
            v -> x.value(v) + y.value(v),
            "(" + x.text() + " + " + y.text() + ")",
            x.expression().plus(y.expression()));
      }
      case 5 -> {
        Tree x = next(depth - 1);
        Tree y = next(depth - 1);
        yield tree(
            v -> x.value(v) - y.value(v),
            "(" + x.text() + " - " + y.text() + ")",
            x.expression().minus(y.expression()));
      }
      case 6, 7 -> {
        Tree x = next(depth - 1);
        Tree y = next(depth - 1);
        yield tree(
            v -> x.value(v) * y.value(v),
            x.text() + "*" + y.text(),
            x.expression().times(y.expression()));
      }
      case 8 -> division(next(depth - 1), next(depth - 1));
      case 9 -> {
        Tree x = next(depth - 1);
        Tree y = next(depth - 1);
        yield tree(
            v -> Math.max(x.value(v), y.value(v)),
            "max(" + x.text() + ", " + y.text() + ")",
            x.expression().max(y.expression()));
      }
      default -> {
        Tree x = next(depth - 1);
        Tree y = next(depth - 1);
        yield tree(
            v -> Math.min(x.value(v), y.value(v)),
            "min(" + x.text() + ", " + y.text() + ")",
            x.expression().min(y.expression()));
      }
    };
  }

  private Tree division(Tree x, Tree y) {
    boolean up = random.nextBoolean();
    if (random.nextInt(3) > 0) {
      long divisor = random.nextInt(1, 9);
      return tree(
          v -> up ? Math.ceilDiv(x.value(v), divisor) : Math.floorDiv(x.value(v), divisor),
          (up ? "ceil(" : "floor(") + "(" + x.text() + ")/" + divisor + ")",
          up ? x.expression().ceilDivide(divisor) : x.expression().floorDivide(divisor));
    }
    // A divisor that is positive for all values.
    return tree(
        v -> {
          long divisor = Math.max(1, y.value(v));
          return up ? Math.ceilDiv(x.value(v), divisor) : Math.floorDiv(x.value(v), divisor);
        },
        (up ? "ceil(" : "floor(") + "(" + x.text() + ")/max(1, " + y.text() + "))",
        up
            ? x.expression().ceilDivide(y.expression().max(SizeExpression.of(1)))
            : x.expression().floorDivide(y.expression().max(SizeExpression.of(1))));
  }

  private static Tree constant(long value) {
    return tree(
        v -> value,
        value < 0 ? String.format(Locale.ROOT, "(%d)", value) : Long.toString(value),
        SizeExpression.of(value));
  }

  private static Tree dimension(String name) {
    return tree(v -> v.get(name), name, SizeExpression.dimension(name));
  }

  private interface Evaluation {
    long at(DimensionValues values);
  }

  private static Tree tree(Evaluation value, String text, SizeExpression expression) {
    return new Tree() {
      @Override
      public long value(DimensionValues values) {
        return value.at(values);
      }

      @Override
      public String text() {
        return text;
      }

      @Override
      public SizeExpression expression() {
        return expression;
      }
    };
  }
}
