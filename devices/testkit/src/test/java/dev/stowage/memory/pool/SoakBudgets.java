package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A root budget with a few children, which the threads of a soak share. */
final class SoakBudgets {

  private final AllocationBudget root;
  private final List<AllocationBudget> children = new ArrayList<>();

  SoakBudgets(AllocationBudget root, Random random) {
    this.root = root;
    for (int i = 0; i < 3; i++) {
      long limit = 1 + random.nextLong(root.limitBytes());
      long reserved = random.nextLong(Math.min(limit, root.limitBytes() / 8) + 1);
      children.add(root.child("child " + i, reserved, limit));
    }
  }

  /** {@return a budget, or empty for none} */
  Optional<AllocationBudget> any(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> Optional.of(root);
      case 1, 2 -> Optional.of(children.get(random.nextInt(children.size())));
      default -> Optional.empty();
    };
  }

  /** Closes all budgets, which have no charges left. */
  void close() {
    children.forEach(AllocationBudget::close);
    root.close();
    if (root.usedBytes() != 0) {
      throw new AssertionError("the root is charged: " + root.usedBytes());
    }
  }
}
