package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The attempts of a free do not grow with the number of requests that wait. */
class WaitersTest {

  private static final int FREES = 50_000;

  /** Charges requests, and has room for some of them. */
  private static final class Counting implements Waiters.Server {

    private long room;
    private boolean freesMayServe;
    private int attempts;
    private final List<Waiters.Waiter> served = new ArrayList<>();

    @Override
    public Waiters.Attempt take(Waiters.Waiter waiter) {
      attempts++;
      Optional<MemoryAccount> account = waiter.origin().account();
      Optional<Exhausted> exhausted = account.flatMap(each -> each.take(waiter.bytes(), ""));
      if (exhausted.isPresent() || waiter.bytes() > room) {
        if (exhausted.isEmpty()) {
          account.ifPresent(each -> each.release(waiter.bytes(), ""));
        }
        return new Waiters.Attempt(OptionalLong.empty(), exhausted.map(Exhausted::account));
      }
      room -= waiter.bytes();
      served.add(waiter);
      return new Waiters.Attempt(OptionalLong.of(served.size()), Optional.empty());
    }

    @Override
    public boolean freesMayServe(Waiters.Waiter waiter) {
      return freesMayServe;
    }
  }

  private final Counting server = new Counting();
  private final Waiters waiters = new Waiters("gpu", server);
  private final MemoryAccount root = account("job", Optional.empty(), 256);
  private final List<Waiters.Waiter> added = new ArrayList<>();

  private static MemoryAccount account(String path, Optional<MemoryAccount> parent, long limit) {
    return new MemoryAccount(path, parent, 0, limit);
  }

  private void add(Origin origin) {
    added.add(new Waiters.Waiter(256, 256, BestFit.PLACEMENT, origin, Duration.ofDays(1)));
    assertThat(waiters.tryOrAdd(added.getLast())).isEmpty();
  }

  private void serveOften(Runnable free) {
    server.attempts = 0;
    for (int i = 0; i < FREES; i++) {
      free.run();
      waiters.serve();
    }
  }

  @BeforeEach
  void exhaust() {
    assertThat(root.take(256, "")).isEmpty();
    server.room = Long.MAX_VALUE;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 50_000})
  void serve_manyWaitForABudget_triesOnlyTheFirst(int count) {
    for (int i = 0; i < count; i++) {
      MemoryAccount own = i % 2 == 0 ? root : account("job/" + i, Optional.of(root), 1024);
      add(Origin.NONE.chargedTo(own));
    }
    serveOften(() -> {});
    assertThat(server.attempts).isZero();
    serveOften(() -> waiters.noteReleased(root));
    assertThat(server.attempts).isEqualTo(FREES);
    for (int i = 0; i < count; i++) {
      root.release(256, "");
      waiters.noteReleased(root);
      waiters.serve();
    }
    assertThat(server.served).isEqualTo(added);
    assertThat(waiters.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 50_000})
  void serve_manyWaitForTheDevice_triesOnlyTheFirst(int count) {
    server.room = 0;
    for (int i = 0; i < count; i++) {
      add(Origin.NONE);
    }
    serveOften(() -> {});
    assertThat(server.attempts).isEqualTo(FREES);
    server.room = 256L * count;
    waiters.serve();
    assertThat(server.served).isEqualTo(added);
    assertThat(waiters.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 50_000})
  void serve_manyWaitForFrees_triesOnlyTheFirst(int count) {
    server.room = 0;
    server.freesMayServe = true;
    for (int i = 0; i < count; i++) {
      add(Origin.NONE);
    }
    serveOften(() -> {});
    assertThat(server.attempts).isEqualTo(FREES);
    for (int i = 0; i < count; i++) {
      server.room += 256;
      waiters.serve();
    }
    assertThat(server.served).isEqualTo(added);
  }
}
