package dev.stowage.allocator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.stowage.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random histories of accounts, compared with a model that adds up all charges each time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemoryAccountRandomTest {

  static LongStream seeds() {
    return Seeds.of(60);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyOperations_haveTheResultsOfTheModel(long seed) throws Exception {
    Run run = new Run(new Random(seed));
    for (int step = 0; step < 120; step++) {
      run.step();
      run.check();
    }
    run.end();
  }

  /** An account, with the charges to itself. */
  private static final class Node {

    final MemoryAccount account;
    final Optional<Node> parent;
    final List<Node> children = new ArrayList<>();
    final List<Held> charges = new ArrayList<>();

    Node(MemoryAccount account, Optional<Node> parent) {
      this.account = account;
      this.parent = parent;
    }

    long used() {
      long sum = charges.stream().mapToLong(held -> held.bytes).sum();
      for (Node child : children) {
        sum += Math.max(child.used(), child.account.reservedBytes());
      }
      return sum;
    }

    void addTags(Map<String, Long> sums) {
      charges.forEach(held -> sums.merge(held.tag, held.bytes, Long::sum));
      children.forEach(child -> child.addTags(sums));
    }
  }

  /** A charge that is open. */
  private static final class Held {

    final Node node;
    final Optional<MemoryAccount.Charge> charge;
    final String tag;
    long bytes;

    Held(Node node, Optional<MemoryAccount.Charge> charge, String tag, long bytes) {
      this.node = node;
      this.charge = charge;
      this.tag = tag;
      this.bytes = bytes;
    }
  }

  /** A charge that waits, and the thread that waits for it. */
  private record Waiting(
      Node node,
      String tag,
      long bytes,
      Thread thread,
      CompletableFuture<MemoryAccount.Charge> answer) {}

  private static final class Run {

    private final Random random;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();

    Run(Random random) {
      this.random = random;
      nodes.add(new Node(MemoryAccount.root("root", 20 + random.nextInt(20)), Optional.empty()));
      for (int i = 0; i < 4; i++) {
        open(any());
      }
    }

    void step() throws Exception {
      Node node = any();
      long bytes = random.nextInt(12);
      switch (random.nextInt(14)) {
        case 0, 1 -> chargeNow(node, tag(), bytes);
        case 2, 3, 4, 5 -> chargeOrWait(node, tag(), bytes);
        case 6, 7, 8, 9 -> close();
        case 10 -> resize(bytes);
        case 11 -> interrupt();
        case 12 -> setLimit(node);
        default -> openOrClose(node);
      }
    }

    private Node any() {
      return nodes.get(random.nextInt(nodes.size()));
    }

    private String tag() {
      return "tag" + random.nextInt(3);
    }

    // The model: who waits for whom.

    /** {@return the accounts that a charge would change, from the lowest} */
    private List<Node> changed(Node node, long bytes) {
      List<Node> path = new ArrayList<>();
      for (Optional<Node> at = Optional.of(node); at.isPresent(); at = at.get().parent) {
        path.add(at.get());
      }
      List<Long> before = path.stream().map(Node::used).toList();
      Held added = new Held(node, Optional.empty(), "none", bytes);
      node.charges.add(added);
      List<Node> changed = new ArrayList<>();
      for (int i = 0; i < path.size(); i++) {
        if (path.get(i).used() > before.get(i)) {
          changed.add(path.get(i));
        }
      }
      node.charges.remove(added);
      return changed;
    }

    /** {@return the lowest account that has too few bytes, or in which an earlier charge waits} */
    private Optional<Node> stop(Node node, long bytes, Set<Node> held) {
      for (Node level : changed(node, bytes)) {
        if (held.contains(level) || usedWith(level, node, bytes) > level.account.limitBytes()) {
          return Optional.of(level);
        }
      }
      return Optional.empty();
    }

    private long usedWith(Node level, Node node, long bytes) {
      Held added = new Held(node, Optional.empty(), "none", bytes);
      node.charges.add(added);
      long used = level.used();
      node.charges.remove(added);
      return used;
    }

    /** {@return the accounts that charges hold up which wait now} */
    private Set<Node> heldUp() {
      Set<Node> held = new HashSet<>();
      for (Waiting each : waiting) {
        hold(each, held);
      }
      return held;
    }

    /** {@return true if a charge waits; it then holds up others} */
    private boolean hold(Waiting each, Set<Node> held) {
      Optional<Node> stop = stop(each.node, each.bytes, held);
      if (stop.isEmpty()) {
        return false;
      }
      for (Node level : changed(each.node, each.bytes)) {
        held.add(level);
        if (level == stop.get()) {
          break;
        }
      }
      return true;
    }

    /** Expects the answers to all charges that no longer wait. */
    private void settle() throws Exception {
      boolean isChanged = true;
      while (isChanged) {
        isChanged = false;
        Set<Node> held = new HashSet<>();
        for (Waiting each : List.copyOf(waiting)) {
          if (!isChanged && !hold(each, held)) {
            waiting.remove(each);
            add(each.node, each.answer.get(), each.tag, each.bytes);
            isChanged = true;
          }
        }
      }
    }

    /** {@return true if a charge fits once all others have ended: only reservations remain} */
    private boolean isPossible(Node node, long bytes) {
      Map<Node, List<Held>> ended = new HashMap<>();
      for (Node each : nodes) {
        ended.put(each, List.copyOf(each.charges));
        each.charges.clear();
      }
      boolean isPossible = stop(node, bytes, Set.of()).isEmpty();
      ended.forEach((each, charges) -> each.charges.addAll(charges));
      return isPossible;
    }

    private void add(Node node, MemoryAccount.Charge charge, String tag, long bytes) {
      Held added = new Held(node, Optional.of(charge), tag, bytes);
      node.charges.add(added);
      held.add(added);
      assertThat(charge.bytes()).isEqualTo(bytes);
      assertThat(charge.tag()).isEqualTo(tag);
    }

    // Operations.

    private void chargeNow(Node node, String tag, long bytes) {
      Optional<Node> stop = stop(node, bytes, heldUp());
      Optional<MemoryAccount.Charge> charge = node.account.tryCharge(bytes, tag);
      assertThat(charge.isEmpty()).isEqualTo(stop.isPresent());
      charge.ifPresent(given -> add(node, given, tag, bytes));
      if (stop.isPresent()) {
        assertThatExceptionOfType(MemoryRefusedException.class)
            .isThrownBy(() -> node.account.charge(bytes, tag))
            .satisfies(refused -> {
              assertThat(refused.isPermanent()).isEqualTo(!isPossible(node, bytes));
              assertThat(refused.requestedBytes()).isEqualTo(bytes);
              if (!refused.isPermanent()) {
                assertThat(refused.level().path()).isEqualTo(stop.get().account.path());
                assertThat(refused.level().usedBytes()).isEqualTo(stop.get().used());
              }
            });
      }
    }

    private void chargeOrWait(Node node, String tag, long bytes) throws Exception {
      Optional<Node> stop = stop(node, bytes, heldUp());
      long before = waitingNow();
      CompletableFuture<MemoryAccount.Charge> answer = new CompletableFuture<>();
      Thread thread =
          Thread.startVirtualThread(() -> {
            try {
              answer.complete(node.account.charge(bytes, tag, Duration.ofDays(1)));
            } catch (InterruptedException | RuntimeException e) {
              answer.completeExceptionally(e);
            }
          });
      while (!answer.isDone() && waitingNow() == before) {
        Thread.onSpinWait();
      }
      if (stop.isEmpty()) {
        add(node, answer.get(), tag, bytes);
      } else if (isPossible(node, bytes)) {
        assertThat(answer.isDone()).isFalse();
        waiting.add(new Waiting(node, tag, bytes, thread, answer));
      } else {
        assertThat(failure(answer)).isInstanceOf(MemoryRefusedException.class);
      }
    }

    private static Throwable failure(CompletableFuture<?> answer) throws InterruptedException {
      try {
        throw new AssertionError("answered: " + answer.get());
      } catch (ExecutionException e) {
        return requireNonNull(e.getCause());
      }
    }

    private long waitingNow() {
      return nodes.getFirst().account.levels().stream()
          .mapToLong(MemoryAccount.Level::waiting)
          .sum();
    }

    private void close() throws Exception {
      if (!held.isEmpty()) {
        Held closed = held.remove(random.nextInt(held.size()));
        closed.node.charges.remove(closed);
        closed.charge.orElseThrow().close();
        closed.charge.orElseThrow().close();
        settle();
      }
    }

    private void resize(long bytes) throws Exception {
      if (!held.isEmpty()) {
        Held resized = held.get(random.nextInt(held.size()));
        MemoryAccount.Charge charge = resized.charge.orElseThrow();
        long before = resized.bytes;
        resized.bytes = bytes;
        if (bytes <= before || isWithinLimits(resized.node)) {
          charge.resize(bytes);
        } else {
          resized.bytes = before;
          assertThatExceptionOfType(MemoryRefusedException.class)
              .isThrownBy(() -> charge.resize(bytes));
        }
        assertThat(charge.bytes()).isEqualTo(resized.bytes);
        settle();
      }
    }

    /** {@return true if an account and those above have no more than their limits} */
    private static boolean isWithinLimits(Node node) {
      return node.used() <= node.account.limitBytes()
          && (node.parent.isEmpty() || isWithinLimits(node.parent.get()));
    }

    private void interrupt() throws Exception {
      if (!waiting.isEmpty()) {
        Waiting interrupted = waiting.remove(random.nextInt(waiting.size()));
        interrupted.thread.interrupt();
        assertThat(failure(interrupted.answer)).isInstanceOf(InterruptedException.class);
        settle();
      }
    }

    private void setLimit(Node node) throws Exception {
      long limit = Math.max(node.account.reservedBytes(), random.nextInt(40));
      long expected = Math.max(limit, node.used());
      assertThat(node.account.setLimit(limit)).isEqualTo(new LimitChange(limit, expected, 0));
      for (Waiting each : List.copyOf(waiting)) {
        if (!isPossible(each.node, each.bytes)) {
          waiting.remove(each);
          assertThat(failure(each.answer)).isInstanceOf(MemoryRefusedException.class);
        }
      }
      settle();
    }

    private void openOrClose(Node node) throws Exception {
      boolean isIdle =
          node.parent.isPresent()
              && node.used() == 0
              && node.charges.isEmpty()
              && node.children.isEmpty()
              && waiting.stream().noneMatch(each -> each.node == node);
      if (isIdle) {
        node.account.close();
        nodes.remove(node);
        node.parent.get().children.remove(node);
      } else if (nodes.size() < 8) {
        open(node);
      }
      settle();
    }

    private void open(Node parent) {
      long reserved = random.nextBoolean() ? 0 : random.nextInt(12);
      long limit = reserved + random.nextInt(20);
      boolean isFitting = stop(parent, reserved, Set.of()).isEmpty();
      try {
        MemoryAccount child = parent.account.child("c" + random.nextInt(1000), reserved, limit);
        assertThat(isFitting).isTrue();
        Node node = new Node(child, Optional.of(parent));
        parent.children.add(node);
        nodes.add(node);
      } catch (MemoryRefusedException refused) {
        assertThat(isFitting).isFalse();
      }
    }

    // Checks.

    void check() {
      assertThat(waitingNow()).isEqualTo(waiting.size());
      for (Node node : nodes) {
        MemoryAccount.Level level = node.account.level();
        assertThat(level.usedBytes()).as(level.path()).isEqualTo(node.used());
        assertThat(level.usedBytes()).as(level.path()).isLessThanOrEqualTo(level.limitBytes());
        assertThat(level.peakBytes()).isGreaterThanOrEqualTo(level.usedBytes());
        Map<String, Long> sums = new TreeMap<>();
        node.addTags(sums);
        assertThat(
                level.holders().stream()
                    .collect(
                        Collectors.toMap(
                            AllocatorReport.Holder::tag, AllocatorReport.Holder::bytes)))
            .as(level.path())
            .isEqualTo(sums);
      }
    }

    void end() throws Exception {
      while (!held.isEmpty() || !waiting.isEmpty()) {
        close();
        if (held.isEmpty() && !waiting.isEmpty()) {
          interrupt();
        }
      }
      for (Node node : nodes.reversed()) {
        assertThat(node.account.level().holders()).isEmpty();
        node.account.close();
      }
      assertThat(nodes.getFirst().account.usedBytes()).isZero();
    }
  }
}
