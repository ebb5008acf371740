package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryAccountTest {

  private static final long MIB = 1 << 20;

  private final MemoryAccount service = MemoryAccount.root("service", 512 * MIB);

  private static CompletableFuture<MemoryAccount.Charge> waiting(
      MemoryAccount account, long bytes, String tag) {
    CompletableFuture<MemoryAccount.Charge> answer = new CompletableFuture<>();
    long before = account.level().waiting();
    Thread.startVirtualThread(() -> {
      try {
        answer.complete(account.charge(bytes, tag, Duration.ofDays(1)));
      } catch (InterruptedException | RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    while (account.level().waiting() == before) {
      Thread.onSpinWait();
    }
    return answer;
  }

  @Test
  void charge_beyondTheLimitOfTheParent_namesTheLevelAndItsHolders() {
    MemoryAccount search = service.child("search", 64 * MIB, 256 * MIB);
    service.charge(200 * MIB, "embed");
    service.charge(100 * MIB, "embed");
    service.charge(84 * MIB, "index");
    search.charge(40 * MIB, "index");
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> search.charge(100 * MIB, "index"))
        .withMessage(
            "account 'service' is out of memory for account 'service/search': 100 MiB (104,857,600"
                + " bytes) requested for 'index', 76 MiB of it beyond the reservation. Its limit is 12"
                + " MiB (12,582,912 bytes) too low. In use: 448 MiB; limit: 512 MiB (536,870,912"
                + " bytes). Holders: 'embed' 300 MiB in 2 charges, 'index' 124 MiB in 2 charges, kept"
                + " for children 24 MiB. Try again when charges have ended, or wait with a timeout.")
        .satisfies(refused -> {
          assertThat(refused).hasToString(refused.getMessage());
          assertThat(refused.account()).isEqualTo("service/search");
          assertThat(refused.tag()).isEqualTo("index");
          assertThat(refused.requestedBytes()).isEqualTo(100 * MIB);
          assertThat(refused.isPermanent()).isFalse();
          assertThat(refused.level().path()).isEqualTo("service");
          assertThat(refused.level().usedBytes()).isEqualTo(448 * MIB);
          assertThat(refused.level().limitBytes()).isEqualTo(512 * MIB);
          assertThat(refused.level().holders())
              .containsExactly(
                  new AllocatorReport.Holder("embed", 2, 300 * MIB, 300 * MIB),
                  new AllocatorReport.Holder("index", 2, 124 * MIB, 124 * MIB));
        });
    assertThat(service.levels()).extracting(MemoryAccount.Level::refused).containsExactly(1L, 0L);
  }

  @Test
  void charge_beyondALimitAlone_isRefusedAtOnce() {
    MemoryAccount search = service.child("search", 0, 64 * MIB);
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> search.charge(65 * MIB, "index", Duration.ofDays(1)))
        .withMessage(
            "account 'service/search' is out of memory: 65 MiB (68,157,440 bytes) requested for"
                + " 'index'. Its limit is 1 MiB (1,048,576 bytes) too low. In use: 0 bytes; limit: 64"
                + " MiB (67,108,864 bytes). No wait can help: ask for less, or raise the limit.")
        .satisfies(refused -> assertThat(refused.isPermanent()).isTrue());
  }

  @Test
  void charge_beyondWhatReservationsLeave_isRefusedAtOnceAndNamesThem() {
    MemoryAccount search = service.child("search", 0, Long.MAX_VALUE);
    search.child("fields", 400 * MIB, 400 * MIB);
    MemoryAccount embed = service.child("embed", 50 * MIB, Long.MAX_VALUE);
    MemoryAccount other = service.child("other", 0, Long.MAX_VALUE);
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> other.charge(63 * MIB, "index", Duration.ofDays(1)))
        .withMessage(
            "account 'service' is out of memory for account 'service/other': 63 MiB (66,060,288"
                + " bytes) requested for 'index'. Its limit is 1 MiB (1,048,576 bytes) too low. In use:"
                + " 450 MiB; limit: 512 MiB (536,870,912 bytes). Holders: kept for children 450 MiB. No"
                + " end of a charge can help, because bytes are reserved ('service/search/fields' 400 MiB,"
                + " 'service/embed' 50 MiB): ask for less, close an account with a reservation, or raise"
                + " the limit.")
        .satisfies(refused -> assertThat(refused.isPermanent()).isTrue());
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> search.charge(63 * MIB, "index", Duration.ofDays(1)))
        .withMessageContaining("('service/search/fields' 400 MiB, 'service/embed' 50 MiB)");
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> embed.charge(513 * MIB, "index", Duration.ofDays(1)))
        .withMessageEndingWith("No wait can help: ask for less, or raise the limit.");
    MemoryAccount.Charge burst = embed.charge(112 * MIB, "index");
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> other.charge(62 * MIB, "index"))
        .satisfies(refused -> assertThat(refused.isPermanent()).isFalse());
    burst.close();
    embed.close();
    assertThat(other.tryCharge(112 * MIB, "index")).isPresent();
  }

  @Test
  void charge_whileAnEarlierOneWaits_isRefusedAlthoughItFits() {
    MemoryAccount.Charge first = service.charge(500 * MIB, "embed");
    CompletableFuture<MemoryAccount.Charge> second = waiting(service, 100 * MIB, "index");
    assertThat(service.tryCharge(MIB, "small")).isEmpty();
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> service.charge(MIB, "small"))
        .withMessage(
            "account 'service' is out of memory: 1 MiB (1,048,576 bytes) requested for 'small'."
                + " Earlier charges wait: 1. In use: 500 MiB; limit: 512 MiB (536,870,912 bytes)."
                + " Holders: 'embed' 500 MiB in 1 charge. Try again when charges have ended, or wait"
                + " with a timeout.");
    first.close();
    assertThat(second.join().bytes()).isEqualTo(100 * MIB);
    assertThat(service.tryCharge(MIB, "small")).isPresent();
  }

  @Test
  void charge_withinTheReservationOfAnotherChild_isNotHeldUp() {
    MemoryAccount reserved = service.child("reserved", 100 * MIB, 200 * MIB);
    MemoryAccount.Charge first = service.charge(400 * MIB, "embed");
    CompletableFuture<MemoryAccount.Charge> second = waiting(service, 100 * MIB, "index");
    assertThat(reserved.tryCharge(100 * MIB, "own")).isPresent();
    assertThat(reserved.tryCharge(1, "own")).isEmpty();
    first.close();
    assertThat(second.join().account()).isSameAs(service);
  }

  @Test
  void charge_ofAFullChild_doesNotHoldUpOtherChildren() {
    MemoryAccount a = service.child("a", 0, 10 * MIB);
    MemoryAccount b = service.child("b", 0, 10 * MIB);
    MemoryAccount.Charge first = a.charge(10 * MIB, "embed");
    CompletableFuture<MemoryAccount.Charge> second = waiting(a, MIB, "embed");
    assertThat(b.tryCharge(10 * MIB, "index")).isPresent();
    first.resize(9 * MIB);
    assertThat(second.join().bytes()).isEqualTo(MIB);
  }

  @Test
  void charge_withoutTimeLeft_isRefusedWithoutAWait() {
    service.charge(512 * MIB, "embed");
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> service.charge(1, "index", Duration.ZERO));
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> service.charge(1, "index", Duration.ofMillis(2)));
    assertThat(service.level().waiting()).isZero();
    assertThat(service.level().refused()).isEqualTo(2);
  }

  @Test
  void resize_beyondTheLimit_changesNothing() {
    MemoryAccount.Charge charge = service.charge(500 * MIB, "embed");
    assertThatExceptionOfType(MemoryRefusedException.class)
        .isThrownBy(() -> charge.resize(513 * MIB));
    assertThat(charge.bytes()).isEqualTo(500 * MIB);
    charge.resize(0);
    assertThat(service.usedBytes()).isZero();
    assertThat(service.peakBytes()).isEqualTo(500 * MIB);
    charge.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> charge.resize(1))
        .withMessage("a charge to account 'service' for 'embed' is closed");
  }

  @Test
  void charge_negativeBytes_isRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> service.charge(-1, "embed"))
        .withMessage("bytes must not be negative: bytes=-1");
  }

  @Test
  void close_withChargesAndChildren_namesThem() {
    MemoryAccount child = service.child("search", 0, MIB);
    MemoryAccount.Charge charge = service.charge(256, "embed");
    assertThatIllegalStateException()
        .isThrownBy(service::close)
        .withMessage(
            "account 'service' cannot be closed: 256 bytes are charged to it, and 1 child is open:"
                + " 'service/search'");
    charge.close();
    child.close();
    service.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> service.tryCharge(1, "embed"))
        .withMessage("account 'service' is closed");
  }

  @Test
  void toString_manyTags_namesTheLargest() {
    for (int i = 1; i <= 5; i++) {
      service.charge(i * MIB, "tag" + i);
    }
    assertThat(service)
        .hasToString(
            "account 'service' has 15 MiB in use, of a limit of 512 MiB (536,870,912 bytes)."
                + " Holders: 'tag5' 5 MiB in 1 charge, 'tag4' 4 MiB in 1 charge, 'tag3' 3 MiB in 1"
                + " charge, 2 more tags.");
  }

  @Test
  void account_ofABudget_hasItsAllocationsByTag() throws Exception {
    BfcAllocator allocator =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(4 * MIB));
    AllocationBudget budget = AllocationBudget.root("job", allocator, 2 * MIB);
    long address = AllocationTag.of("layer").call(() -> budget.allocate(MIB));
    MemoryAccount.Charge workspace = budget.account().charge(MIB, "workspace");
    assertThat(budget.tryAllocate(256, 256)).isEmpty();
    WaitingRequest request = WaitingRequest.waiting(allocator, budget, 256);
    assertThat(budget.account().level().holders())
        .extracting(AllocatorReport.Holder::tag)
        .containsExactly("layer", "workspace");
    workspace.close();
    allocator.free(request.address());
    CompletableFuture<MemoryAccount.Charge> charge =
        waiting(budget.account(), 2 * MIB - 256, "workspace");
    allocator.free(address);
    assertThat(charge.join().bytes()).isEqualTo(2 * MIB - 256);
  }

  @Test
  void charge_ofThousandVirtualThreads_allAreServedWithinTheLimit() throws Exception {
    MemoryAccount small = service.child("small", 0, 10);
    List<Thread> threads =
        IntStream.range(0, 1000)
            .mapToObj(i ->
                Thread.startVirtualThread(() -> {
                  for (int run = 0; run < 20; run++) {
                    try (MemoryAccount.Charge charge =
                        small.charge(1 + i % 7, "run", Duration.ofDays(1))) {
                      charge.resize(1);
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  }
                }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(small.level())
        .isEqualTo(
            new MemoryAccount.Level("service/small", 0, 0, 10, small.peakBytes(), 0, 0, List.of()));
    assertThat(small.peakBytes()).isBetween(7L, 10L);
  }

  @Test
  void refusal_serialized_keepsItsFigures() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    service.charge(512 * MIB, "embed");
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(catchThrowable(() -> service.charge(1, "index")));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((MemoryRefusedException) in.readObject()).level()).isEqualTo(service.level());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 10_000})
  void close_manyChildrenAndWaitingCharges_asksTheSameNumberOfAccounts(int count) {
    MemoryAccount root = MemoryAccount.root("root", 2L * count + 1);
    ChargeQueue queue = root.queue();
    List<MemoryAccount> children =
        IntStream.range(0, count).mapToObj(i -> root.child("c" + i, 1, 100)).toList();
    MemoryAccount.Charge rest = root.charge(count + 1, "rest");
    for (MemoryAccount child : children) { // each lacks a byte of the root beyond its reservation
      queue.add(new MemoryAccount.Charge(child, "waits"), 2, Duration.ZERO);
    }
    long before = queue.steps();
    MemoryAccount.Charge one = children.getLast().tryCharge(0, "none").orElseThrow();
    one.close();
    assertThat(queue.steps() - before).isLessThanOrEqualTo(8);
    before = queue.steps();
    rest.resize(count); // serves the first
    assertThat(queue.steps() - before).isLessThanOrEqualTo(12);
    assertThat(root.level().waiting()).isEqualTo(count - 1);
    before = queue.steps();
    rest.close(); // serves all others
    assertThat(root.level().waiting()).isZero();
    assertThat(queue.steps() - before).isLessThanOrEqualTo(8L * count);
  }
}
