package dev.stowage.memory.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * A root budget with a few children, which the threads of a soak share.
 *
 * @param <B> the type of the budgets
 */
final class SoakBudgets<B> {

  private final B root;
  private final Kind<B> kind;
  private final List<B> children = new ArrayList<>();

  /** The calls of a type of budgets. */
  record Kind<B>(
      Opening<B> opening,
      ToLongFunction<B> limitBytes,
      ToLongFunction<B> usedBytes,
      Consumer<B> closing) {}

  /** Opens children. */
  interface Opening<B> {
    B child(B parent, String name, long reservedBytes, long limitBytes);
  }

  SoakBudgets(B root, Kind<B> kind, Random random) {
    this.root = root;
    this.kind = kind;
    long rootLimit = kind.limitBytes.applyAsLong(root);
    for (int i = 0; i < 3; i++) {
      long limit = 1 + random.nextLong(rootLimit);
      long reserved = random.nextLong(Math.min(limit, rootLimit / 8) + 1);
      children.add(kind.opening.child(root, "child " + i, reserved, limit));
    }
  }

  static SoakBudgets<PoolBudget> of(PoolBudget root, Random random) {
    Kind<PoolBudget> kind =
        new Kind<>(
            PoolBudget::child,
            each -> each.account().limitBytes(),
            each -> each.account().usedBytes(),
            PoolBudget::close);
    return new SoakBudgets<>(root, kind, random);
  }

  /** {@return a budget, or empty for none} */
  Optional<B> any(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Optional.of(root);
      case 1, 2 -> Optional.of(children.get(random.nextInt(children.size())));
      default -> Optional.empty();
    };
  }

  /** Closes all budgets, which have no charges left. */
  void close() {
    children.forEach(kind.closing);
    kind.closing.accept(root);
    long used = kind.usedBytes.applyAsLong(root);
    if (used != 0) {
      throw new AssertionError("the root is charged: " + used);
    }
  }
}
