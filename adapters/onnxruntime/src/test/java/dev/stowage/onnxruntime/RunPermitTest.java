package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.SubAllocator;
import dev.stowage.memory.device.HostMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits with the memory of an engine that is not called. */
class RunPermitTest {

  private static final long LIMIT_BYTES = 1 << 20;
  private static final Duration NO_WAIT = Duration.ZERO;
  private static final OnnxRuntimeOptions OPTIONS =
      OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES)).withReserve(0);

  private final HostMemory host = HostMemory.open();

  @AfterEach
  void closeHost() {
    host.close();
  }

  private EngineMemory memory(OnnxRuntimeOptions options) {
    return new EngineMemory("engine", host.newSubAllocator(), options, Optional::empty);
  }

  private static RunPermit permit(EngineMemory memory, SessionAccount session, long bytes)
      throws InterruptedException {
    return new RunPermit(memory, memory.admission().admit(session, bytes, NO_WAIT));
  }

  private static void close(EngineMemory memory) {
    memory.checkInvariants();
    memory.close(() -> {});
  }

  @Test
  void call_permitIsClosed_isRejected() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    RunPermit permit = permit(memory, session, 1000);
    permit.close();
    assertThatThrownBy(() -> permit.call(() -> memory.allocate(session, 100)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a permit of session 'a' is closed: get a new one for each run");
    assertThat(session.bytesInUse()).isZero();
    close(memory);
  }

  @Test
  void call_codeThrows_permitStaysOpen() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    try (RunPermit permit = permit(memory, session, 1000)) {
      assertThatThrownBy(() ->
              permit.call(() -> {
                throw new IOException("model");
              }))
          .isInstanceOf(IOException.class)
          .hasMessage("model");
      long address = permit.call(() -> memory.allocate(session, 1000));
      assertThat(permit.peakBytes()).isEqualTo(1024);
      memory.free(address);
    }
    close(memory);
  }

  @Test
  void close_duringTheCall_laterAllocationsBelongToNoOtherRun() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    RunPermit first = permit(memory, session, 1000);
    try (RunPermit second = permit(memory, session, 1000)) {
      long address =
          first.call(() -> {
            Thread.ofVirtual().start(first::close).join();
            return memory.allocate(session, 100);
          });
      assertThat(second.peakBytes()).isZero();
      assertThat(session.keptBytes()).isEqualTo(256);
      memory.free(address);
    }
    close(memory);
  }

  @Test
  void close_twiceInManyThreads_endsTheRunOnce() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    RunPermit permit = permit(memory, session, 1000);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int thread = 0; thread < 10; thread++) {
        Future<?> _ = executor.submit(permit::close);
      }
    }
    assertThat(session.usage().runs().count()).isEqualTo(1);
    assertThat(session.chargedBytes()).isZero();
    close(memory);
  }

  @Test
  void admit_wholeLimit_isAdmittedUnlessItHasPartOfAChunk() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    permit(memory, session, LIMIT_BYTES).close();
    close(memory);
    EngineMemory odd =
        memory(
            OnnxRuntimeOptions.of(BfcOptions.expandable().withLimit(LIMIT_BYTES + 100))
                .withReserve(0));
    SessionAccount other = odd.admission().open("b", SessionLimits.none());
    assertThatThrownBy(() -> permit(odd, other, LIMIT_BYTES + 1))
        .hasMessage(
            "session 'b' can never get 1 MiB (1,048,577 bytes): of 1 MiB (1,048,576 bytes) for"
                + " admission, loaded models and the reservations of other sessions take 0 bytes."
                + " Request fewer bytes, or raise the limit.");
    permit(odd, other, LIMIT_BYTES).close();
    close(odd);
  }

  @Test
  void admit_anyBytesWithoutALimit_isAdmittedWithoutARange() throws Exception {
    EngineMemory memory = memory(OnnxRuntimeOptions.of(BfcOptions.expandable()));
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    for (long bytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 255, 1L << 62}) {
      try (RunPermit permit = permit(memory, session, bytes)) {
        assertThat(permit.admittedBytes()).isEqualTo(bytes);
        assertThat(memory.admission().rangeAddresses()).isEmpty();
      }
    }
    close(memory);
  }

  @Test
  void admit_systemFailsToProvideARange_isNotAdmittedAndCheckThrows() {
    SubAllocator failing =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            throw new IllegalStateException("no device");
          }

          @Override
          public void free(long address, long bytes) {}
        };
    EngineMemory memory =
        new EngineMemory(
            "engine",
            failing,
            OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(LIMIT_BYTES)),
            Optional::empty);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    assertThatThrownBy(() -> permit(memory, session, 1000)).isInstanceOf(AdmissionException.class);
    assertThatThrownBy(memory::throwFailures).hasMessageContaining("no device");
    assertThat(session.waiting()).isEmpty();
    assertThat(session.chargedBytes()).isZero();
    close(memory);
  }

  @Test
  void close_systemDoesNotTakeMemoryBack_checkThrows() throws Exception {
    SubAllocator regions = host.newSubAllocator();
    SubAllocator failing =
        new SubAllocator() {
          @Override
          public OptionalLong allocate(long bytes) {
            return regions.allocate(bytes);
          }

          @Override
          public void free(long address, long bytes) {
            regions.free(address, bytes);
            throw new IllegalStateException("lost device");
          }
        };
    EngineMemory memory =
        new EngineMemory(
            "engine",
            failing,
            OnnxRuntimeOptions.of(BfcOptions.growing().withLimit(32 << 20)).withTrims(),
            Optional::empty);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    permit(memory, session, 16 << 20).close();
    for (int run = 0; run < 200; run++) {
      permit(memory, session, 256).close();
    }
    assertThat(session.usage().runs().count()).isEqualTo(201);
    assertThatThrownBy(memory::throwFailures).hasMessageContaining("lost device");
  }

  @Test
  void close_permitWithoutARangeIsOpen_isRejected() throws Exception {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    RunAccount loading = memory.admission().admitLoading(session, 1000, NO_WAIT);
    assertThatThrownBy(() -> memory.close(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "allocator 'engine' cannot be closed: session 'a' has open permits=1, waiting"
                + " requests=0; close the permits and interrupt the waiting threads first");
    memory.admission().closeLoading(loading);
    close(memory);
  }

  @Test
  void admit_allocatorIsClosed_isRejectedAtOnce() {
    EngineMemory memory = memory(OPTIONS);
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    close(memory);
    assertThatThrownBy(() -> memory.admission().admit(session, 1, Duration.ofDays(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("session 'a' gets no memory: its allocator is closed");
    assertThatThrownBy(() -> memory.admission().open("b", SessionLimits.none()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("session 'b' gets no memory: its allocator is closed");
    assertThatCode(() -> memory.closeSession(session)).doesNotThrowAnyException();
    close(memory);
  }

  /** A listener that calls admission. */
  private static final class CallingListener implements AllocationListener {

    private Runnable call = () -> {};

    @Override
    public void allocated(Allocation allocation) {
      call.run();
    }

    @Override
    public void freed(long id) {}

    @Override
    public void failed(long bytes) {}
  }

  @Test
  void anyCall_ofTheListener_isRejectedAndCheckThrows() throws Exception {
    CallingListener listener = new CallingListener();
    EngineMemory memory = memory(OPTIONS.withListener(listener));
    SessionAccount session = memory.admission().open("a", SessionLimits.none());
    RunPermit first = permit(memory, session, 1000);
    for (Runnable call :
        new Runnable[] {
          first::close, first::peakBytes, memory::report, () -> memory.closeSession(session)
        }) {
      listener.call = call;
      permit(memory, session, 1000).close();
      assertThatThrownBy(memory::throwFailures)
          .hasRootCauseMessage(
              "the listener of allocator 'engine' cannot use its sessions, permits and reports: use"
                  + " them after the listener has returned");
    }
    listener.call = () -> {};
    first.close();
    assertThat(session.usage().runs().count()).isEqualTo(5);
    close(memory);
  }
}
