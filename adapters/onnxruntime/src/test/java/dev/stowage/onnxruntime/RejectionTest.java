package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that no end of a run makes possible: they are rejected and block no other request. */
class RejectionTest {

  private static final long MIB = 1 << 20;
  private static final Duration LONG = Duration.ofDays(1);

  private final HostMemory host = HostMemory.open();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    executor.close();
    host.close();
  }

  private EngineMemory memory(BfcOptions options) {
    return new EngineMemory(
        "engine",
        host.newSubAllocator(),
        OnnxRuntimeOptions.of(options.withLimit(16 * MIB)).withReserve(0),
        Optional::empty);
  }

  private static SessionAccount session(EngineMemory memory, String name) {
    return memory.admission().open(name, SessionLimits.none());
  }

  /** Loads weights, with a buffer that is freed at the end, and returns their address. */
  private static long load(EngineMemory memory, SessionAccount session, long buffer, long weights)
      throws InterruptedException {
    RunAccount loading = memory.admission().admitLoading(session, buffer + weights, LONG);
    long address =
        memory
            .admission()
            .call(
                loading,
                () -> {
                  long first = memory.allocate(session, buffer);
                  long second = memory.reserve(session, weights);
                  memory.free(first);
                  return second;
                });
    memory.admission().closeLoading(loading);
    return address;
  }

  private Future<RunAccount> waiting(EngineMemory memory, SessionAccount session, long bytes) {
    int before = memory.admission().read(session.waiting()::size);
    Future<RunAccount> request =
        executor.submit(() -> memory.admission().admit(session, bytes, LONG));
    while (memory.admission().read(session.waiting()::size) == before) {
      Thread.onSpinWait();
    }
    return request;
  }

  @Test
  void admit_moreThanTheLoadedModelsLeave_isRejectedAtOnce() throws Exception {
    EngineMemory memory = memory(BfcOptions.expandable());
    SessionAccount first = session(memory, "a");
    SessionAccount second = session(memory, "b");
    long weights = load(memory, first, MIB, 4 * MIB);
    for (SessionAccount asking : List.of(first, second)) {
      assertThatThrownBy(() -> memory.admission().admit(asking, 12 * MIB + 1, LONG))
          .isInstanceOfSatisfying(
              AdmissionException.class, rejected -> assertThat(rejected.isPermanent()).isTrue())
          .hasMessage(
              "session '%s' can never get 12 MiB (12,582,913 bytes): of 16 MiB (16,777,216 bytes) for"
                  + " admission, loaded models and the reservations of other sessions take 4 MiB."
                  + " Request fewer bytes, or raise the limit.",
              asking.name());
    }
    memory.closeRun(memory.admission().admit(first, 11 * MIB, LONG));
    memory.free(weights);
    memory.closeRun(memory.admission().admit(first, 16 * MIB, LONG));
    memory.checkInvariants();
    memory.close(() -> {});
  }

  @Test
  void admit_loadedModelLiesInTheMiddle_isRejectedWhenNoRunIsOpen() throws Exception {
    EngineMemory memory = memory(BfcOptions.expandable());
    SessionAccount session = session(memory, "a");
    long weights = load(memory, session, 6 * MIB, MIB);
    RunAccount run = memory.admission().admit(session, MIB, LONG);
    Future<RunAccount> large = waiting(memory, session, 12 * MIB);
    Future<RunAccount> small = waiting(memory, session, 2 * MIB);
    memory.closeRun(run);
    assertThatThrownBy(large::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage(
            "session 'a' can never get 12 MiB (12,582,912 bytes): the memory of loaded models leaves"
                + " no range of that size. Request fewer bytes, or raise the limit.");
    memory.closeRun(small.get());
    assertThat(session.usage().rejections()).isEqualTo(1);
    memory.free(weights);
    memory.close(() -> {});
  }

  @Test
  void open_reservationMakesAWaitingRequestImpossible_rejectsItAndServesTheNext() throws Exception {
    EngineMemory memory = memory(BfcOptions.expandable());
    SessionAccount session = session(memory, "a");
    RunAccount run = memory.admission().admit(session, 4 * MIB, LONG);
    Future<RunAccount> large = waiting(memory, session, 14 * MIB);
    Future<RunAccount> small = waiting(memory, session, MIB);
    memory.admission().open("b", SessionLimits.none().withReservation(4 * MIB));
    assertThatThrownBy(large::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            AdmissionException.class, rejected -> assertThat(rejected.isPermanent()).isTrue());
    memory.closeRun(small.get());
    memory.closeRun(run);
    memory.checkInvariants();
    memory.close(() -> {});
  }

  @Test
  void admit_smallFreeRegionsFillTheLimit_isAdmitted() throws Exception {
    EngineMemory memory = memory(BfcOptions.growing());
    SessionAccount session = session(memory, "a");
    for (long bytes : new long[] {MIB, 3 * MIB, 4 * MIB, 16 * MIB}) {
      memory.closeRun(memory.admission().admit(session, bytes, LONG));
    }
    memory.close(() -> {});
  }
}
