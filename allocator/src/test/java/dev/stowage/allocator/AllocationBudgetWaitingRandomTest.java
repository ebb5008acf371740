package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order in which requests that wait for budgets are answered, compared with a model. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllocationBudgetWaitingRandomTest {

  static LongStream seeds() {
    return Seeds.of(30);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_answerTheRequestsOfTheModel(long seed) throws Exception {
    Run run = new Run(seed);
    for (int step = 0; step < 60; step++) {
      run.step();
      run.check();
    }
    run.end();
  }

  /** A budget; its bytes in use follow from the live allocations. */
  private static final class Node {

    final AllocationBudget budget;
    final Optional<Node> parent;
    final List<Node> children = new ArrayList<>();
    final List<Long> live = new ArrayList<>();
    boolean isOpen = true;

    Node(AllocationBudget budget, Optional<Node> parent) {
      this.budget = budget;
      this.parent = parent;
    }

    long used() {
      long sum = live.stream().mapToLong(Long::longValue).sum();
      for (Node child : children) {
        sum += Math.max(child.used(), child.budget.account().reservedBytes());
      }
      return sum;
    }
  }

  /** A request in the queue. */
  private static final class Pending {

    final Optional<Node> node;
    final long bytes;
    final WaitingRequest request;

    /** The budget that had too little left. */
    Optional<Node> lacking = Optional.empty();

    /** True if an earlier request waits for the same budget, or for one that has too little. */
    boolean isHeldUp;

    Pending(Optional<Node> node, long bytes, WaitingRequest request) {
      this.node = node;
      this.bytes = bytes;
      this.request = request;
    }

    /** {@return the budgets whose used bytes would change} */
    List<Node> charged() {
      List<Node> charged = new ArrayList<>();
      Optional<Node> at = node;
      while (at.isPresent()) {
        Node current = at.get();
        long before = current.used();
        node.orElseThrow().live.add(bytes);
        if (current.used() > before) {
          charged.add(current);
        }
        node.orElseThrow().live.removeLast();
        at = current.parent;
      }
      return charged;
    }

    /** {@return the lowest budget that would exceed its limit} */
    Optional<Node> exhausted() {
      List<Node> charged = charged();
      node.ifPresent(each -> each.live.add(bytes));
      Optional<Node> found =
          charged.stream()
              .filter(each -> each.used() > each.budget.account().limitBytes())
              .findFirst();
      node.ifPresent(each -> each.live.removeLast());
      return found;
    }
  }

  private record Live(long address, Optional<Node> node, long bytes) {}

  private static final class Run {

    private final Random random;
    private final boolean isTight;
    private final BfcAllocator allocator;
    private final long roomBytes;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Pending> queue = new ArrayList<>();
    private final List<Live> live = new ArrayList<>();
    private boolean isBlocked;

    Run(long seed) {
      random = new Random(seed);
      // If the allocator is tight, all requests have one size, so that nothing is fragmented.
      isTight = random.nextBoolean();
      roomBytes = isTight ? 256L * (2 + random.nextInt(12)) : 1 << 24;
      BfcOptions options = BfcOptions.oneRegion(roomBytes);
      // A front cache changes addresses, but not the requests that are served.
      allocator =
          new BfcAllocator(
              "seed " + seed,
              ScriptedRegions.ascending(),
              random.nextBoolean() ? options.withFrontCache(roomBytes) : options);
      allocator.free(allocator.allocate(1));
      for (int i = 0; i < 2; i++) {
        AllocationBudget root = AllocationBudget.root("root" + i, allocator, limit());
        nodes.add(new Node(root, Optional.empty()));
      }
      for (int i = 0; i < 4; i++) {
        open();
      }
    }

    private long limit() {
      return 256L * (2 + random.nextInt(10));
    }

    private long bytes() {
      return isTight ? 256 : 256L * (1 + random.nextInt(4));
    }

    private Node any() {
      List<Node> open = nodes.stream().filter(node -> node.isOpen).toList();
      return open.get(random.nextInt(open.size()));
    }

    void step() throws Exception {
      switch (random.nextInt(13)) {
        case 0, 1, 2, 3 -> {
          if (queue.size() < 12) {
            request(random.nextInt(5) == 0 ? Optional.empty() : Optional.of(any()), bytes());
          }
        }
        case 4, 5 -> allocate(any(), bytes());
        case 6, 7, 8 -> free();
        case 9 -> interrupt();
        case 10 -> open();
        case 11 -> setLimit(any());
        default -> close(any());
      }
    }

    private void open() {
      Node parent = any();
      long limit = limit();
      long reserved = random.nextBoolean() ? 0 : 256L * random.nextInt((int) (limit / 256) + 1);
      try {
        AllocationBudget budget = parent.budget.child("c", reserved, limit);
        Node child = new Node(budget, Optional.of(parent));
        parent.children.add(child);
        nodes.add(child);
      } catch (BfcOutOfMemoryException e) {
        assertThat(e.verdict()).isEqualTo(OutOfMemoryVerdict.LIMIT);
      }
    }

    private void setLimit(Node node) throws Exception {
      long limit = Math.max(limit(), node.budget.account().reservedBytes());
      long expected = Math.max(limit, node.used());
      assertThat(node.budget.account().setLimit(limit))
          .isEqualTo(new LimitChange(limit, expected, 0));
      assertThat(node.budget.account().limitBytes()).isEqualTo(expected);
      for (Pending pending : List.copyOf(queue)) {
        if (!isPossible(pending.node, pending.bytes)) {
          queue.remove(pending);
          assertThat(pending.request.failure()).isInstanceOf(BfcOutOfMemoryException.class);
        }
      }
      pass();
    }

    private void close(Node node) {
      boolean isIdle =
          node.parent.isPresent()
              && node.live.isEmpty()
              && node.children.isEmpty()
              && queue.stream().noneMatch(pending -> pending.node.filter(node::equals).isPresent());
      if (isIdle) {
        node.budget.close();
        node.isOpen = false;
        node.parent.get().children.remove(node);
        pass();
      }
    }

    private boolean isPossible(Optional<Node> node, long bytes) {
      long needed = bytes;
      for (Optional<Node> at = node; at.isPresent(); at = at.get().parent) {
        if (needed > at.get().budget.account().limitBytes()) {
          return false;
        }
        needed = Math.max(needed, at.get().budget.account().reservedBytes());
      }
      return bytes <= roomBytes;
    }

    private void request(Optional<Node> node, long bytes) {
      int before = allocator.waitingRequests();
      WaitingRequest request =
          node.isPresent()
              ? WaitingRequest.asked(node.get().budget, bytes, WaitingRequest.FOREVER)
              : WaitingRequest.asked(allocator, bytes, WaitingRequest.FOREVER);
      while (!request.isDone() && allocator.waitingRequests() == before) {
        Thread.onSpinWait();
      }
      if (isPossible(node, bytes)) {
        Pending pending = new Pending(node, bytes, request);
        queue.add(pending);
        if (!isBlocked) {
          attempt(pending, queue.subList(0, queue.size() - 1));
        }
      } else {
        assertThat(request.isDone()).isTrue();
      }
    }

    private void allocate(Node node, long bytes) {
      boolean isPaid = new Pending(Optional.of(node), bytes, dummy()).exhausted().isEmpty();
      boolean isRoom = live.stream().mapToLong(Live::bytes).sum() + bytes <= roomBytes;
      OptionalLong address = node.budget.tryAllocate(bytes, 256);
      assertThat(address.isPresent()).isEqualTo(isPaid && isRoom);
      address.ifPresent(at -> add(at, Optional.of(node), bytes));
      if (isPaid && !isRoom) {
        pass();
      }
    }

    private WaitingRequest dummy() {
      return WaitingRequest.asked(allocator, 0, WaitingRequest.FOREVER);
    }

    private void add(long address, Optional<Node> node, long bytes) {
      live.add(new Live(address, node, bytes));
      node.ifPresent(each -> each.live.add(bytes));
    }

    private void free() {
      if (!live.isEmpty()) {
        Live freed = live.remove(random.nextInt(live.size()));
        freed.node().ifPresent(node -> node.live.remove(freed.bytes()));
        allocator.free(freed.address());
        pass();
      }
    }

    private void interrupt() throws Exception {
      if (!queue.isEmpty()) {
        Pending pending = queue.remove(random.nextInt(queue.size()));
        pending.request.interrupt();
        assertThat(pending.request.failure()).isInstanceOf(InterruptedException.class);
        pass();
      }
    }

    /** Tries all requests in their order. */
    private void pass() {
      isBlocked = false;
      queue.forEach(pending -> {
        pending.lacking = Optional.empty();
        pending.isHeldUp = false;
      });
      for (Pending pending : List.copyOf(queue)) {
        if (!isBlocked) {
          attempt(pending, queue.subList(0, queue.indexOf(pending)));
        }
      }
    }

    private void attempt(Pending pending, List<Pending> earlier) {
      Set<Node> waiting = new HashSet<>();
      Set<Node> lacking = new HashSet<>();
      for (Pending each : earlier) {
        if (each.isHeldUp || each.lacking.isPresent()) {
          waiting.add(each.node.orElseThrow());
          each.lacking.ifPresent(lacking::add);
        }
      }
      if (pending.node.filter(waiting::contains).isPresent()
          || pending.charged().stream().anyMatch(lacking::contains)) {
        pending.isHeldUp = true;
        return;
      }
      pending.lacking = pending.exhausted();
      if (pending.lacking.isEmpty()) {
        if (live.stream().mapToLong(Live::bytes).sum() + pending.bytes > roomBytes) {
          isBlocked = true;
        } else {
          queue.remove(pending);
          try {
            add(pending.request.address(), pending.node, pending.bytes);
          } catch (Exception e) {
            throw new AssertionError("not answered", e);
          }
        }
      }
    }

    void check() {
      assertThat(allocator.waitingRequests()).isEqualTo(queue.size());
      for (Node node : nodes) {
        assertThat(node.budget.account().usedBytes())
            .as(node.budget.account().path())
            .isEqualTo(node.used());
        assertThat(node.used()).isLessThanOrEqualTo(node.budget.account().limitBytes());
      }
      assertThat(allocator.statistics().bytesInUse())
          .isEqualTo(live.stream().mapToLong(Live::bytes).sum());
      allocator.internals().checkInvariants();
    }

    /** Only reservations of other budgets can still hold up a request. */
    void end() throws Exception {
      while (!live.isEmpty()) {
        free();
        check();
      }
      for (Node node : nodes.reversed()) {
        if (node.isOpen) {
          close(node);
          check();
        }
      }
      for (Pending pending : queue) {
        assertThat(pending.node).isPresent();
      }
      while (!queue.isEmpty()) {
        interrupt();
        check();
        while (!live.isEmpty()) {
          free();
          check();
        }
      }
    }
  }
}
