package dev.stowage.trace.format;

import static dev.stowage.trace.format.TraceFiles.assertMalformed;
import static dev.stowage.trace.format.TraceFiles.events;
import static dev.stowage.trace.pytorch.PickleWriter.pickle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.AllocationEvent.Allocate;
import dev.stowage.trace.format.AllocationEvent.Fail;
import dev.stowage.trace.format.AllocationEvent.Free;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PytorchSnapshotTest {

  @TempDir private Path folder;

  private static Map<String, Object> entry(String action, long address, long bytes, long micros) {
    return Map.of(
        "action", action, "addr", address, "size", bytes, "stream", 3L, "time_us", micros);
  }

  private static byte[] snapshot(Object... entries) {
    return pickle(Map.of("segments", List.of(), "device_traces", List.of(List.of(entries))));
  }

  @Test
  void read_history_takesAllocAndFreeCompleted() throws IOException {
    byte[] snapshot =
        snapshot(
            entry("alloc", 512, 100, 50),
            entry("free_requested", 512, 100, 60),
            entry("segment_alloc", 0, 2 << 20, 61),
            Map.of("action", "oom", "device_free", 7L),
            entry("free_completed", 512, 100, 70));

    assertThat(events(folder, snapshot))
        .containsExactly(new Allocate("0", 100, 3, 0), new Free("0", 3, 20));
  }

  @Test
  void read_failedRequest_isAnEventWithItsStream() throws IOException {
    byte[] snapshot =
        snapshot(
            entry("alloc", 512, 100, 50),
            Map.of("action", "oom", "device_free", 7L, "size", 900L, "stream", 2L, "time_us", 60L),
            entry("free_completed", 512, 100, 70));

    assertThat(events(folder, snapshot))
        .containsExactly(
            new Allocate("0", 100, 3, 0),
            new Fail(new Allocate("1", 900, 2, 10)),
            new Free("0", 3, 20));
  }

  @Test
  void read_unknownActions_areNamedInANote() throws IOException {
    byte[] snapshot =
        snapshot(
            entry("alloc", 512, 100, 50), entry("annotate", 0, 0, 51), entry("annotate", 0, 0, 52));

    assertThat(TraceFiles.read(folder, snapshot, TraceOptions.strict(), new ArrayList<>()).notes())
        .containsExactly("entries of these kinds are not known and have no effect: annotate (2)");
  }

  /** The snapshot of the second process of a job on several devices. */
  @Test
  void read_deviceWithoutHistory_namesTheOtherDevice() {
    List<Object> history =
        List.of(entry("alloc", 512, 100, 50), entry("free_completed", 512, 100, 70));
    assertMalformed(
        folder,
        pickle(Map.of("segments", List.of(), "device_traces", List.of(List.<Object>of(), history))),
        "t: has no history of device 0, expected --device 1, which has one with 2 entries");
  }

  @Test
  void isState_snapshotWithoutAllocationsAndFrees_isTrue() throws IOException {
    Map<String, Object> block =
        Map.of("address", 512L, "size", 512L, "state", "active_allocated", "frames", List.of());
    Map<String, Object> segment =
        Map.of("address", 512L, "total_size", 512L, "blocks", List.of(block));
    for (List<Object> entries :
        List.<List<Object>>of(
            List.of(),
            List.of(Map.of("action", "snapshot", "size", 0L, "stream", 0L)),
            List.of(entry("alloc", 4096, 100, 50)),
            List.of(entry("free_completed", 4096, 100, 50)))) {
      byte[] snapshot =
          pickle(Map.of("segments", List.of(segment), "device_traces", List.of(entries)));
      TraceSummary summary =
          TraceFiles.read(folder, snapshot, TraceOptions.strict(), new ArrayList<>());
      assertThat(summary.isState()).isEqualTo(!entries.toString().contains("addr"));
    }
  }

  @Test
  void read_freesOfOlderMemory_becomeAllocationsInFront() throws IOException {
    byte[] snapshot =
        snapshot(
            entry("alloc", 512, 100, 50),
            entry("free_completed", 9000, 7, 60),
            entry("free_completed", 4000, 8, 70),
            entry("alloc", 9000, 9, 80));

    assertThat(events(folder, snapshot))
        .containsExactly(
            new Allocate("0", 7, 3, 0),
            new Allocate("1", 8, 3, 0),
            new Allocate("2", 100, 3, 0),
            new Free("0", 3, 10),
            new Free("1", 3, 20),
            new Allocate("3", 9, 3, 30));
  }

  @Test
  void read_allocationAtALiveAddress_endsTheOlderOneFirst() throws IOException {
    byte[] snapshot = snapshot(entry("alloc", 512, 1, 50), entry("alloc", 512, 2, 55));

    assertThat(events(folder, snapshot))
        .containsExactly(
            new Allocate("0", 1, 3, 0), new Free("0", 3, 5), new Allocate("1", 2, 3, 5));
  }

  private static Map<String, Object> frame(String name, String file, long line) {
    return Map.of("name", name, "filename", file, "line", line);
  }

  private static Map<String, Object> asked(String action, Object frames) {
    Map<String, Object> entry = new HashMap<>(entry(action, 512, 1, 50));
    entry.put("frames", frames);
    return entry;
  }

  private List<String> framesOf(Object frames) throws IOException {
    AllocationEvent event = events(folder, snapshot(asked("alloc", frames))).getFirst();
    return ((Allocate) event).frames();
  }

  @Test
  void read_stackWithPython_keepsItsLinesTheOperatorAndTheBackwardNode() throws IOException {
    assertThat(
            framesOf(
                List.of(
                    frame("torch::unwind::unwind()", "??", 0),
                    frame("at::_ops::mul_Tensor::redispatch(at::Tensor)", "??", 0),
                    frame("at::_ops::mul_Tensor::call(at::Tensor const&)", "??", 0),
                    frame("torch::autograd::generated::MulBackward0::apply(int)", "??", 0),
                    frame("_PyEval_EvalFrame", "/python/pycore_ceval.h", 89),
                    frame("forward", "/app/model.py", 12),
                    frame("<module>", "<stdin>", 1),
                    frame("_start", "??", 0))))
        .containsExactly(
            "at::_ops::mul_Tensor",
            "torch::autograd::generated::MulBackward0::apply",
            "forward at /app/model.py:12",
            "<module> at <stdin>:1");
  }

  @Test
  void read_stackOfOtherFramesAlone_keepsWhatHasANameOrAFile() throws IOException {
    String name = "f".repeat(118) + "\ud83d\ude00(int)";
    String file = "/" + "d".repeat(120) + "/a.cpp";
    assertThat(
            framesOf(
                List.of(
                    frame("gather()", "snapshot.cpp", 0),
                    frame("", "??", 0),
                    frame("", "b.cpp", 7),
                    frame("main", "", 3),
                    frame(name, file, 9))))
        .containsExactly(
            "gather() at snapshot.cpp",
            "b.cpp:7",
            "main",
            "f".repeat(118) + "… at …" + "d".repeat(113) + "/a.cpp:9");
  }

  @Test
  void read_invalidFrames_areOmitted() throws IOException {
    assertThat(framesOf("frames")).isEmpty();
    assertThat(framesOf(List.of())).isEmpty();
    assertThat(framesOf(List.of(5L, Map.of(), Map.of("line", 4L)))).isEmpty();
    assertThat(framesOf(List.of(Map.of("name", "f", "filename", 3L, "line", "x"))))
        .containsExactly("f");
    assertThat(framesOf(Collections.nCopies(200, frame("f", "a.py", 1)))).hasSize(128);
  }

  @Test
  void read_sameStacks_areOneList() throws IOException {
    List<Object> stack = List.of(frame("f", "a.py", 1));
    Map<String, Object> second = new HashMap<>(asked("alloc", stack));
    second.put("addr", 1024L);

    List<AllocationEvent> events = events(folder, snapshot(asked("alloc", stack), second));

    assertThat(((Allocate) events.getLast()).frames())
        .isSameAs(((Allocate) events.getFirst()).frames());
  }

  @Test
  void read_olderMemory_hasNotTheFramesOfWhoFreedIt() throws IOException {
    byte[] snapshot = snapshot(asked("free_completed", List.of(frame("f", "a.py", 1))));

    assertThat(events(folder, snapshot))
        .containsExactly(new Allocate("0", 1, 3, 0), new Free("0", 3, 0));
  }

  @Test
  void read_wrongEntries_areErrorsWithPlaceAndNumber() {
    Map<String, Object> alloc = entry("alloc", 512, 1, 50);
    Map<String, Object> free = entry("free_completed", 512, 1, 51);
    assertMalformed(
        folder,
        snapshot(alloc, free, free),
        "t: entry 2: event 3 frees address 512, which was freed before");
    assertMalformed(
        folder, snapshot(alloc, 5L), "t: entry 1: event 2 is not a dict with an 'action'");
    assertMalformed(
        folder,
        snapshot(alloc, Map.of("action", "alloc")),
        "t: entry 1: event 2 has no number 'addr'");
    assertMalformed(
        folder,
        snapshot(entry("alloc", 512, -1, 0)),
        "t: entry 0: event 1 has no number 'size' of bytes from 0 to 2^63 - 1");
  }

  @Test
  void read_otherPickles_areErrors() {
    assertMalformed(
        folder,
        pickle(List.of()),
        "t: has no list 'device_traces', expected a memory snapshot of PyTorch");
    assertMalformed(
        folder,
        pickle(Map.of("device_traces", List.of())),
        "t: has no device, expected the history of one");
    assertThatThrownBy(() ->
            TraceFiles.read(
                folder,
                pickle(Map.of("device_traces", List.of(List.of()))),
                TraceOptions.strict().withDevice(1),
                new ArrayList<>()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: has no device 1, expected --device 0");
    assertMalformed(
        folder,
        pickle(Map.of("device_traces", List.of(5L))),
        "t: the history of device 0 is not a list");
  }

  @Test
  void read_otherDevice_isTaken() throws IOException {
    byte[] two =
        pickle(Map.of("device_traces", List.of(List.of(), List.of(entry("alloc", 512, 1, 50)))));
    List<AllocationEvent> events = new ArrayList<>();
    TraceSummary summary =
        TraceFiles.read(folder, two, TraceOptions.strict().withDevice(1), events);

    assertThat(events).containsExactly(new Allocate("0", 1, 3, 0));
    assertThat(summary.format()).isEqualTo("pytorch");
    assertThatThrownBy(
            () -> TraceFiles.read(folder, two, TraceOptions.strict().withDevice(2), events))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: has no device 2, expected --device 0 to 1");
  }
}
