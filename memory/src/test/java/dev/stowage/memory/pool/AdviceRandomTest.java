package dev.stowage.memory.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationSource;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.device.HostMemoryOptions;
import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The advice of failures, applied exactly to the allocator, pool or budget that failed: the request
 * passes then, and fails with one step less. Advice with "might" is not applied.
 */
class AdviceRandomTest {

  private static final String BYTES = "(?:[\\d.]+ .iB \\()?([\\d,]+) bytes?\\)?";
  private static final Pattern CERTAIN =
      Pattern.compile(
          "The request would have passed (.*?)(?:, and might have passed .*)?\\. In use");
  private static final Pattern LIMIT = Pattern.compile("with a limit higher by " + BYTES);
  private static final Pattern ONE = Pattern.compile("without allocation (\\d+) of ");
  private static final Pattern SOME =
      Pattern.compile("without " + BYTES + " in (\\d+) neighbouring allocations from 0x(\\w+) on");
  private static final Pattern BUDGET =
      Pattern.compile("budget '([^']*)' is out .* Its limit is " + BYTES + " too low\\..*");

  /** Regions without memory, far from each other, all of which a device grants. */
  private static final class Simulated implements SubAllocator {

    private final long granularityBytes;
    private final boolean canLengthen;
    private long next = 1L << 40;

    Simulated(long granularityBytes, boolean canLengthen) {
      this.granularityBytes = granularityBytes;
      this.canLengthen = canLengthen;
    }

    @Override
    public OptionalLong allocate(long bytes) {
      next += 1L << 40;
      return OptionalLong.of(next);
    }

    @Override
    public void free(long address, long bytes) {}

    @Override
    public boolean resize(long address, long bytes, long newBytes) {
      return newBytes < bytes || canLengthen;
    }

    @Override
    public boolean canLengthen() {
      return canLengthen;
    }

    @Override
    public long granularityBytes() {
      return granularityBytes;
    }
  }

  /** An allocator or a private pool, with the budgets that are charged to it. */
  private record Place(
      BfcAllocator allocator, Optional<Place> above, List<AllocationBudget> budgets) {

    /** Raises all limits that apply by a number of bytes. */
    void raise(long bytes) {
      long limit = allocator.statistics().limitBytes();
      if (limit < Long.MAX_VALUE) {
        assertThat(allocator.setLimit(limit + bytes).isReached()).isTrue();
      }
      above.ifPresent(place -> place.raise(bytes));
    }
  }

  private record Request(Place place, AllocationSource source, long bytes, long alignment) {

    OptionalLong attempt() {
      return source.tryAllocate(bytes, alignment);
    }
  }

  static LongStream seeds() {
    return Seeds.of(150);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyAdvice_onASimulatedDevice_isExact(long seed) {
    Random random = new Random(seed);
    Simulated device = new Simulated(256L << random.nextInt(10), random.nextBoolean());
    new Run(random, device.granularityBytes(), _ -> device).run();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyAdvice_onTheHost_isExact(long seed) {
    Random random = new Random(seed);
    HostMemoryOptions options =
        random.nextBoolean() ? HostMemoryOptions.expandable() : HostMemoryOptions.fixed();
    try (HostMemory host = HostMemory.open(options)) {
      new Run(random, host.granularityBytes(), host::newSubAllocator).run();
    }
  }

  private static final class Run {

    private final Random random;
    private final long granularity;
    private final long largest;
    private final int alignments;
    private final Place root;
    private final List<Place> places = new ArrayList<>();
    private final List<Runnable> frees = new ArrayList<>();

    Run(Random random, long granularity, Function<BfcOptions, SubAllocator> device) {
      this.random = random;
      this.granularity = granularity;
      largest = granularity << random.nextInt(6);
      alignments = random.nextBoolean() ? 1 : 14;
      BfcOptions options = options(true);
      root = place(new BfcAllocator("gpu", device.apply(options), options), Optional.empty());
      places.add(root);
      for (int i = random.nextInt(3); i > 0; i--) {
        Place above = places.get(random.nextInt(places.size()));
        places.add(
            place(above.allocator().openPrivatePool("p" + i, options(false)), Optional.of(above)));
      }
    }

    private BfcOptions options(boolean isLimited) {
      long limit = random.nextLong(2, 12) * largest + random.nextInt(5000);
      BfcOptions options =
          switch (random.nextInt(3)) {
            case 0 -> isLimited ? BfcOptions.oneRegion(limit) : BfcOptions.expandable();
            case 1 -> BfcOptions.growing().withFirstRegion(random.nextLong(1, largest));
            default -> BfcOptions.expandable();
          };
      options =
          options
              .withSplitThreshold(new long[] {1, 4096, 128 << 20}[random.nextInt(3)])
              .withTrimThreshold(random.nextInt(4) == 0 ? 1 << 14 : Long.MAX_VALUE);
      options = isLimited || random.nextBoolean() ? options.withLimit(limit) : options;
      return random.nextInt(3) == 0 ? options.withGarbageCollection() : options;
    }

    private Place place(BfcAllocator allocator, Optional<Place> above) {
      AllocationBudget all =
          AllocationBudget.root("all", allocator, random.nextLong(1, 12) * largest);
      long reserved = random.nextBoolean() ? 0 : random.nextLong(all.account().limitBytes());
      AllocationBudget some = all.child("some", reserved, all.account().limitBytes() + reserved);
      return new Place(allocator, above, List.of(all, some));
    }

    void run() {
      for (int i = 0; i < 150; i++) {
        if (random.nextInt(10) < 4 && !frees.isEmpty()) {
          frees.remove(random.nextInt(frees.size())).run();
        } else {
          request();
        }
        AllocatorInternals.of(root.allocator()).checkInvariants();
      }
      frees.forEach(Runnable::run);
      root.allocator().close();
    }

    private void request() {
      Place place = places.get(random.nextInt(places.size()));
      AllocationSource source =
          random.nextInt(3) > 0 ? place.allocator() : place.budgets().get(random.nextInt(2));
      long bytes = 1 + random.nextLong(random.nextInt(8) == 0 ? 8 * largest : largest);
      Request request = new Request(place, source, bytes, 1L << random.nextInt(alignments));
      for (int i = 0; i < 4; i++) { // one for each limit: of the budgets and of the allocator
        try {
          note(request, request.source().allocate(bytes, request.alignment()));
          return;
        } catch (BfcOutOfMemoryException e) {
          assertThat(request.attempt()).as("again: " + e.getMessage()).isEmpty();
          if (!apply(request, e)) {
            return;
          }
        }
      }
      throw new AssertionError("no end of advice: " + request);
    }

    private void note(Request request, long address) {
      BfcAllocator allocator = request.place().allocator();
      long id = allocator.allocation(address).orElseThrow().id();
      frees.add(() -> {
        if (allocator.allocation(address).filter(now -> now.id() == id).isPresent()) {
          allocator.free(address);
        }
      });
    }

    /** Applies a piece of advice, and {@return true if there is one without "might"} */
    private boolean apply(Request request, BfcOutOfMemoryException e) {
      String message = String.valueOf(e.getMessage());
      if (e.verdict() == OutOfMemoryVerdict.LIMIT) {
        raiseBudget(request, message);
        return true;
      }
      Matcher certain = CERTAIN.matcher(message);
      if (!certain.find()) {
        return false;
      }
      List<String> pieces = List.of(certain.group(1).split(", or ", -1));
      String piece = pieces.get(random.nextInt(pieces.size()));
      Matcher limit = LIMIT.matcher(piece);
      if (piece.equals("with garbage collection of free regions")) {
        request.place().allocator().trim(); // as collection would have done
      } else if (limit.find()) {
        long more = bytes(limit);
        assertThat(more).as(message).isPositive();
        long step = piece.contains("also of its allocator") ? granularity : 1;
        request.place().raise(more - step);
        assertThat(request.attempt()).as("one step less: " + message).isEmpty();
        request.place().raise(step);
      } else {
        List<Allocation> obstacle = obstacle(request.place().allocator(), piece);
        assertThat(obstacle).as(message).isNotEmpty();
        obstacle.forEach(each -> request.place().allocator().free(each.address()));
      }
      OptionalLong address = request.attempt();
      assertThat(address).as("after '%s': %s", piece, message).isPresent();
      note(request, address.getAsLong());
      return false;
    }

    private void raiseBudget(Request request, String message) {
      Matcher lacking = BUDGET.matcher(message);
      assertThat(lacking.matches()).as(message).isTrue();
      AllocationBudget budget =
          request.place().budgets().stream()
              .filter(each -> each.path().equals(lacking.group(1)))
              .findFirst()
              .orElseThrow();
      long limit = budget.account().limitBytes();
      long more = Long.parseLong(lacking.group(2).replace(",", ""));
      budget.account().setLimit(limit + more - 1);
      assertThat(budgetOf(request)).as(message).contains(budget.account().path());
      budget.account().setLimit(limit + more);
      assertThat(budgetOf(request)).as(message).isNotEqualTo(Optional.of(budget.account().path()));
    }

    /** {@return the budget that a request exceeds; empty if it passes, or fails otherwise} */
    private Optional<String> budgetOf(Request request) {
      try {
        long address = request.source().allocate(request.bytes(), request.alignment());
        request.place().allocator().free(address);
        return Optional.empty();
      } catch (BfcOutOfMemoryException e) {
        Matcher lacking = BUDGET.matcher(e.getMessage());
        return lacking.matches() ? Optional.of(lacking.group(1)) : Optional.empty();
      }
    }

    private static List<Allocation> obstacle(BfcAllocator allocator, String piece) {
      Matcher one = ONE.matcher(piece);
      if (one.find()) {
        long id = Long.parseLong(one.group(1));
        return allocator.allocations().stream().filter(each -> each.id() == id).toList();
      }
      Matcher some = SOME.matcher(piece);
      assertThat(some.find()).as(piece).isTrue();
      long from = Long.parseLong(some.group(3), 16);
      return allocator.allocations().stream()
          .filter(each -> each.address() >= from)
          .limit(Long.parseLong(some.group(2)))
          .toList();
    }

    private static long bytes(MatchResult found) {
      return Long.parseLong(found.group(1).replace(",", ""));
    }
  }
}
