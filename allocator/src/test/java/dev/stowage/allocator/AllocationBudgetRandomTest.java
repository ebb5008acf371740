package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trees of budgets, compared with sums over the live allocations. */
class AllocationBudgetRandomTest {

  static LongStream seeds() {
    return BfcAllocatorRandomTest.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_everyNode_isTheSumOfLiveBytes(long seed) {
    Run run = new Run(seed);
    for (int i = 0; i < 200; i++) {
      run.step();
      run.check();
    }
    run.freeAll();
  }

  /** A budget and its expected numbers, which follow from the live requests alone. */
  private static final class Node {

    final AllocationBudget budget;
    final Optional<Node> parent;
    final List<Node> children = new ArrayList<>();
    final Map<Long, Long> live = new TreeMap<>();
    long peak;
    long limit;

    /** The reservation of a child that is not open yet. */
    long wantedBytes;

    Node(AllocationBudget budget, Optional<Node> parent) {
      this.budget = budget;
      this.parent = parent;
      limit = budget.account().limitBytes();
    }

    long used() {
      long sum = wantedBytes;
      for (long bytes : live.values()) {
        sum += (bytes + 255) / 256 * 256;
      }
      for (Node child : children) {
        sum += Math.max(child.used(), child.budget.account().reservedBytes());
      }
      return sum;
    }

    boolean isWithinLimits() {
      return used() <= limit && children.stream().allMatch(Node::isWithinLimits);
    }

    List<Node> all() {
      List<Node> all = new ArrayList<>(List.of(this));
      children.forEach(child -> all.addAll(child.all()));
      return all;
    }
  }

  private static final class Run {

    private final Random random;
    private final long largest;
    private final BfcAllocator allocator;
    private final List<Node> roots = new ArrayList<>();

    Run(long seed) {
      random = new Random(seed);
      largest = 1L << (8 + random.nextInt(8));
      int refusals = random.nextBoolean() ? 0 : random.nextInt(60);
      BfcOptions options = BfcOptions.growing().withFirstRegion(4096);
      allocator =
          new BfcAllocator(
              "seed " + seed,
              new ScriptedRegions(ScriptedRegions.Order.ASCENDING, seed, refusals),
              random.nextBoolean() ? options : options.withLimit(20 * largest));
      for (int i = 0; i < 2; i++) {
        AllocationBudget root = AllocationBudget.root("root" + i, allocator, limit());
        roots.add(new Node(root, Optional.empty()));
      }
    }

    private long limit() {
      return random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong(20 * largest);
    }

    private List<Node> all() {
      return roots.stream().flatMap(root -> root.all().stream()).toList();
    }

    private Node any() {
      return all().get(random.nextInt(all().size()));
    }

    void step() {
      int dice = random.nextInt(100);
      Node node = any();
      if (dice < 40) {
        allocate(node);
      } else if (dice < 60) {
        free(node);
      } else if (dice < 85) {
        open(node);
      } else if (dice < 95) {
        close(node);
      } else {
        setLimit(node);
      }
    }

    private void setLimit(Node node) {
      long limit = limit();
      if (limit < node.budget.account().reservedBytes()) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> node.budget.account().setLimit(limit));
        return;
      }
      LimitChange change = node.budget.account().setLimit(limit);
      node.limit = Math.max(limit, node.used());
      assertThat(change.limitBytes()).isEqualTo(node.limit);
      assertThat(change.isReached()).isEqualTo(node.used() <= limit);
    }

    private boolean isAllWithinLimits() {
      return roots.stream().allMatch(Node::isWithinLimits);
    }

    private void allocate(Node node) {
      long bytes = 1 + random.nextLong(largest);
      long allocations = allocator.statistics().allocations();
      node.live.put(-1L, bytes);
      boolean isPaid = isAllWithinLimits();
      node.live.remove(-1L);
      Optional<OutOfMemoryVerdict> failure = Optional.empty();
      OptionalLong address = OptionalLong.empty();
      if (random.nextBoolean()) {
        address = node.budget.tryAllocate(bytes, 1L << random.nextInt(12));
      } else {
        try {
          address = OptionalLong.of(node.budget.allocate(bytes));
        } catch (BfcOutOfMemoryException e) {
          failure = Optional.of(e.verdict());
        }
      }
      if (failure.isPresent()) {
        assertThat(failure.get() == OutOfMemoryVerdict.LIMIT).isEqualTo(!isPaid);
      }
      if (address.isPresent()) {
        assertThat(isPaid).isTrue();
        node.live.put(address.getAsLong(), bytes);
      }
      assertThat(allocator.statistics().allocations())
          .isEqualTo(allocations + (address.isPresent() ? 1 : 0));
    }

    private void free(Node node) {
      if (!node.live.isEmpty()) {
        List<Long> addresses = List.copyOf(node.live.keySet());
        long address = addresses.get(random.nextInt(addresses.size()));
        node.live.remove(address);
        allocator.free(address);
      }
    }

    private void open(Node node) {
      long limit = limit();
      long reserved = random.nextBoolean() ? 0 : random.nextLong(Math.min(limit, largest) + 1);
      node.wantedBytes = reserved;
      boolean isPaid = isAllWithinLimits();
      node.wantedBytes = 0;
      boolean isDone = true;
      try {
        AllocationBudget child = node.budget.child("c", reserved, limit);
        node.children.add(new Node(child, Optional.of(node)));
      } catch (BfcOutOfMemoryException e) {
        isDone = false;
      }
      assertThat(isDone).isEqualTo(isPaid);
    }

    private void close(Node node) {
      if (node.parent.isEmpty()) {
        return;
      }
      boolean isDone = true;
      try {
        node.budget.close();
        node.parent.get().children.remove(node);
      } catch (IllegalStateException e) {
        isDone = false;
      }
      assertThat(isDone).isEqualTo(node.children.isEmpty() && node.live.isEmpty());
    }

    void check() {
      for (Node node : all()) {
        node.peak = Math.max(node.peak, node.used());
        assertThat(node.budget.account().usedBytes())
            .as(node.budget.account().path())
            .isEqualTo(node.used());
        assertThat(node.budget.account().limitBytes())
            .as(node.budget.account().path())
            .isEqualTo(node.limit);
        assertThat(node.budget.account().peakBytes())
            .as(node.budget.account().path())
            .isEqualTo(node.peak);
      }
      assertThat(isAllWithinLimits()).isTrue();
      allocator.internals().checkInvariants();
    }

    void freeAll() {
      for (Node node : all()) {
        while (!node.live.isEmpty()) {
          free(node);
          check();
        }
      }
      for (Node node : all().reversed()) {
        node.budget.close();
        assertThat(node.budget.account().usedBytes()).isZero();
      }
      assertThat(allocator.statistics().bytesInUse()).isZero();
    }
  }
}
