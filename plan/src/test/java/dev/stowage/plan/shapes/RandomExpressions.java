package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Random;

/** Random expressions, each as text together with a naive evaluation. */
final class RandomExpressions {

  /** A naive evaluation, whose result fits a {@code long}. */
  interface Evaluation {
    long at(DimensionValues values);
  }

  /** An expression. */
  record Tree(String text, Evaluation value) {}

  static final List<String> NAMES = List.of("a", "b", "c");

  private final Random random;

  RandomExpressions(Random random) {
    this.random = random;
  }

  Tree next(int depth) {
    int kind = depth == 0 ? random.nextInt(2) : random.nextInt(9);
    if (kind == 0) {
      int value = random.nextInt(-6, 13);
      return new Tree(value < 0 ? "(" + value + ")" : "" + value, _ -> value);
    }
    if (kind == 1) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      return new Tree(name, shape -> shape.get(name));
    }
    Tree x = next(depth - 1);
    Tree y = next(depth - 1);
    long n = random.nextInt(1, 9);
    return switch (kind) {
      case 2 -> tree("(%s + %s)", x, y, s -> at(x, s) + at(y, s));
      case 3 -> tree("(%s - %s)", x, y, s -> at(x, s) - at(y, s));
      case 4 -> tree("%s*%s", x, y, s -> at(x, s) * at(y, s));
      case 5 -> tree("max(%s, %s)", x, y, s -> Math.max(at(x, s), at(y, s)));
      case 6 -> tree("-min(%s, %s)", x, y, s -> -Math.min(at(x, s), at(y, s)));
      case 7 ->
          random.nextBoolean()
              ? tree(
                  "floor((%s)/max(1, %s))",
                  x, y, s -> Math.floorDiv(at(x, s), Math.max(1, at(y, s))))
              : tree(
                  "ceil((%s)/max(1, %s))",
                  x, y, s -> Math.ceilDiv(at(x, s), Math.max(1, at(y, s))));
      default -> new Tree("roundup(" + x.text + ", " + n + ")", s -> Math.ceilDiv(at(x, s), n) * n);
    };
  }

  private static long at(Tree tree, DimensionValues shape) {
    return tree.value.at(shape);
  }

  private static Tree tree(String format, Tree x, Tree y, Evaluation value) {
    return new Tree(format.formatted("(" + x.text + ")", "(" + y.text + ")"), value);
  }
}
