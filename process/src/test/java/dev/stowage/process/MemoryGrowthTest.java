package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Samples of a process of 200 MiB, so that a growth of 2 MiB counts. */
class MemoryGrowthTest {

  private static final long MIB = 1 << 20;

  /** {@return a growth over 13 samples, one each minute} */
  private static MemoryGrowth growth(BiConsumer<SampleText, Integer> fill) {
    return growth(13, fill);
  }

  private static MemoryGrowth growth(int count, BiConsumer<SampleText, Integer> fill) {
    List<MemorySample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SampleText text = new SampleText().time(1_700_000_000 + 60L * i);
      fill.accept(text, i);
      samples.add(text.sample());
    }
    return new MemoryGrowth(samples);
  }

  private static Arguments rule(
      String subject, GrowthCause cause, BiConsumer<SampleText, Integer> fill) {
    return Arguments.of(cause, subject, fill);
  }

  /** {@return each rule, with samples of which it is true} */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule(
            "C heap",
            GrowthCause.FRAGMENTATION,
            (text, i) -> text.file("[heap]", 10 + i).nativeHeap(10, i, 0)),
        rule(
            "C heap",
            GrowthCause.NATIVE_REQUESTS,
            (text, i) -> text.file("[heap]", 10 + i).nativeHeap(10 + i, 5, 0)),
        rule(
            "C heap",
            GrowthCause.FIRST_USE,
            (text, i) -> text.file("[heap]", 10 + i).nativeHeap(30, 5, 0)),
        rule(
            "C heap",
            GrowthCause.BUFFERS_OR_ARENAS,
            (text, i) ->
                text.file("[heap]", 10 + i).nativeHeap(10 + i, 5, 0).tracked("Other", 1 + i)),
        rule(
            "C heap",
            GrowthCause.VM_REQUESTS,
            (text, i) ->
                text.file("[heap]", 10 + i)
                    .nativeHeap(10 + i, 5, 0)
                    .tracked("Other", 9)
                    .tracked("Internal", i)),
        rule(
            "C heap",
            GrowthCause.NATIVE_LIBRARIES,
            (text, i) -> text.file("[heap]", 10 + i).nativeHeap(10 + i, 5, 0).tracked("Other", 9)),
        rule(
            "C heap",
            GrowthCause.OTHER_ALLOCATOR,
            (text, i) ->
                text.file("/usr/lib/libjemalloc.so.2", 1).anonymous(10 + i).nativeHeap(1, 0, 0)),
        rule("C heap", GrowthCause.UNKNOWN, (text, i) -> text.file("[heap]", 10 + i)),
        rule(
            "large native blocks",
            GrowthCause.NATIVE_REQUESTS,
            (text, i) -> text.anonymous(20 + i).nativeHeap(0, 0, 20 + i)),
        rule(
            "large native blocks",
            GrowthCause.DIRECT_BUFFERS,
            (text, i) ->
                text.anonymous(20 + i).nativeHeap(0, 0, 20 + i).bean(9 + i, "direct buffers")),
        rule(
            "large native blocks",
            GrowthCause.FFM_ARENAS,
            (text, i) ->
                text.anonymous(20 + i)
                    .nativeHeap(0, 0, 20 + i)
                    .tracked("Other", 20 + i)
                    .bean(9, "direct buffers")),
        rule(
            "C heap",
            GrowthCause.ARENAS_OR_NATIVE_CODE,
            (text, i) ->
                text.file("[heap]", 10 + i).nativeHeap(10 + i, 5, 0).bean(9, "direct buffers")),
        rule(
            "metaspace and class space",
            GrowthCause.CLASSES,
            (text, i) -> text.used("META", 10 + i).used("CLASS", 2)),
        rule(
            "thread stacks",
            GrowthCause.THREADS,
            (text, i) -> text.used("STACK", 4 + i).threads(20 + 5 * i)),
        rule("thread stacks", GrowthCause.DEEPER_STACKS, (text, i) -> text.used("STACK", 4 + i)),
        rule("mapped files", GrowthCause.FILE_PAGES, (text, i) -> text.file("/data/a.bin", 1 + i)),
        rule("libraries", GrowthCause.LIBRARY_PAGES, (text, i) -> text.file("/lib/a.so", 1 + i)),
        rule(
            "shared memory", GrowthCause.SHARED_PAGES, (text, i) -> text.file("/dev/shm/a", 1 + i)),
        rule("code cache", GrowthCause.COMPILED_CODE, (text, i) -> text.used("CODE", 5 + i)),
        rule("GC structures", GrowthCause.GC_TABLES, (text, i) -> text.used("GC", 5 + i)),
        rule("other memory of the VM", GrowthCause.VM_MEMORY, (text, i) -> text.used("SYMBOL", i)),
        rule("Stowage allocators", GrowthCause.STOWAGE_REGIONS, (text, i) -> text.region(5 + i)),
        rule("not attributed", GrowthCause.UNKNOWN, (text, i) -> text.anonymous(5 + i)),
        rule(
            "not attributed",
            GrowthCause.BUFFERS_OR_ARENAS,
            (text, i) -> text.anonymous(5 + i).tracked("Other", 5 + i)),
        rule(
            "live objects of the Java heap",
            GrowthCause.LIVE_OBJECTS,
            (text, i) -> text.used("JAVAHEAP", 90).objects(80).liveObjects(20 + i)),
        rule(
            "objects of the Java heap",
            GrowthCause.KEPT_OBJECTS,
            (text, i) -> text.used("JAVAHEAP", 90).objects(20 + i + 30 * (i % 3))),
        rule(
            "Java heap",
            GrowthCause.OBJECTS,
            (text, i) -> text.used("JAVAHEAP", 30 + i).objects(20 + i)),
        rule(
            "Java heap",
            GrowthCause.HEAP_SIZE,
            (text, i) -> text.used("JAVAHEAP", 90 + i).objects(20 + 30 * (i % 3))),
        rule(
            "Java heap",
            GrowthCause.HEAP_SIZE,
            (text, i) -> text.used("JAVAHEAP", 90 + i).objects(80 + i).liveObjects(20)),
        rule(
            "Java heap",
            GrowthCause.HEAP_SIZE,
            (text, i) -> text.used("JAVAHEAP", 90 + i).objects(80)));
  }

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("rules")
  void verdicts_samplesOfARule_nameItsCauseOnly(
      GrowthCause cause, String subject, BiConsumer<SampleText, Integer> fill) {
    assertThat(growth(fill).verdicts())
        .extracting(verdict -> verdict.subject() + ": " + verdict.cause())
        .containsExactly(subject + ": " + cause);
  }

  /** Two dumps are samples, too; only the lows of a heap need more. */
  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("rules")
  void verdicts_twoSamplesOfARule_nameItsCause(
      GrowthCause cause, String subject, BiConsumer<SampleText, Integer> fill) {
    List<GrowthVerdict> verdicts = growth(2, (text, i) -> fill.accept(text, 12 * i)).verdicts();
    if (cause != GrowthCause.KEPT_OBJECTS) {
      assertThat(verdicts).hasSize(1);
      assertThat(verdicts.getFirst().subject()).isEqualTo(subject);
      assertThat(verdicts.getFirst().bytes().course()).isEqualTo(ByteGrowth.Course.FEW_SAMPLES);
    }
  }

  @Test
  void verdicts_nothingGrows_areNone() {
    MemoryGrowth growth =
        growth((text, i) ->
            text.used("JAVAHEAP", 90)
                .objects(20 + 30 * (i % 3))
                .file("[heap]", 10 + i % 2)
                .nativeHeap(10, 3 - i % 2, 0));

    assertThat(growth.verdicts()).isEmpty();
    assertThat(growth.leastBytes()).isEqualTo((200 + 90 + 10) * MIB / 100);
  }

  /** A growth below 1 MiB, or 1 % of the resident bytes, is no verdict. */
  @Test
  void verdicts_growthOfLessThanOnePercent_areNone() {
    assertThat(growth((text, i) -> text.file("/data/a.bin", 1 + i / 12)).verdicts()).isEmpty();
  }

  @Test
  void verdicts_aPeakInTheMiddle_areNone() {
    assertThat(growth((text, i) -> text.file("/data/a.bin", i == 6 ? 90 : 10)).verdicts())
        .isEmpty();
  }

  @Test
  void verdicts_several_startWithTheLargestGrowth() {
    assertThat(
            growth((text, i) -> text.file("/data/a.bin", i).used("CODE", 2 * i).used("META", 3 * i))
                .verdicts())
        .extracting(GrowthVerdict::cause)
        .containsExactly(GrowthCause.CLASSES, GrowthCause.COMPILED_CODE, GrowthCause.FILE_PAGES);
  }

  /** Two thirds of the growth are free, and a third is in use. */
  @Test
  void verdicts_fragmentationAndRequests_nameBoth() {
    assertThat(
            growth((text, i) ->
                    text.file("[heap]", 10 + 3 * i)
                        .nativeHeap(10 + i, 2 * i, 0)
                        .tracked("Other", 5 + i))
                .verdicts())
        .extracting(verdict -> verdict.subject() + ": " + verdict.cause())
        .containsExactly("C heap: FRAGMENTATION", "C heap in use: BUFFERS_OR_ARENAS");
  }

  @Test
  void verdicts_moreThreads_tellTheirNumbers() {
    assertThat(
            growth((text, i) -> text.used("STACK", 4 + i).threads(20 + 5 * i))
                .verdicts()
                .getFirst()
                .explanation())
        .isEqualTo("The number of threads grows from 20 to 80.");
  }

  @Test
  void verdicts_requestsOfTheVm_tellTheirPurpose() {
    assertThat(
            growth((text, i) ->
                    text.file("[heap]", 10 + i).nativeHeap(10 + i, 5, 0).tracked("Compiler", i))
                .verdicts()
                .getFirst()
                .explanation())
        .isEqualTo("Most of the growth is 'Compiler of the VM'.");
  }

  @Test
  void parts_evenGrowth_haveItsSlope() {
    MemoryGrowth growth = growth((text, i) -> text.file("/data/a.bin", 10 + i).used("CODE", 7));

    ByteGrowth bytes = growth.parts().getFirst().bytes();
    assertThat(growth.parts())
        .extracting(OwnerGrowth::owner)
        .containsExactly(MemoryOwner.MAPPED_FILES, MemoryOwner.LIBRARIES, MemoryOwner.CODE_CACHE);
    assertThat(bytes.firstBytes()).isEqualTo(10 * MIB);
    assertThat(bytes.lastBytes()).isEqualTo(22 * MIB);
    assertThat(bytes.growthBytes()).isEqualTo(12 * MIB);
    assertThat(bytes.bytesPerHour()).isEqualTo(OptionalLong.of(60 * MIB));
    assertThat(bytes.course()).isEqualTo(ByteGrowth.Course.STEADY);
    assertThat(growth.residentBytes().growthBytes()).isEqualTo(12 * MIB);
    assertThat(growth.duration()).contains(Duration.ofMinutes(12));
  }

  /** Half a minute may be that of one batch. */
  @Test
  void parts_ofLessThanAMinute_haveNoGrowthPerHour() {
    List<MemorySample> samples =
        List.of(
            new SampleText().file("/data/a.bin", 10).time(0).sample(),
            new SampleText().file("/data/a.bin", 20).time(59).sample());

    assertThat(new MemoryGrowth(samples).parts().getFirst().bytes().bytesPerHour()).isEmpty();
  }

  /** One sample far off changes neither the slope nor the course. */
  @Test
  void parts_aSampleFarOff_haveTheSameSlope() {
    MemoryGrowth growth = growth((text, i) -> text.file("/data/a.bin", i == 2 ? 500 : 10 + i));

    assertThat(growth.parts().getFirst().bytes().bytesPerHour().orElseThrow())
        .isBetween(52 * MIB, 60 * MIB);
  }

  @Test
  void parts_growthThatEnds_isSlowing() {
    assertThat(course((text, i) -> text.used("CODE", Math.min(i, 5))))
        .isEqualTo(ByteGrowth.Course.SLOWING);
  }

  @Test
  void parts_growthThatStartsLate_isLate() {
    assertThat(course((text, i) -> text.used("CODE", 1 + Math.max(0, i - 7))))
        .isEqualTo(ByteGrowth.Course.LATE);
  }

  private static ByteGrowth.Course course(BiConsumer<SampleText, Integer> fill) {
    return growth(fill).parts().getFirst().bytes().course();
  }

  @Test
  void parts_ofTheCHeap_haveItsFigures() {
    MemoryGrowth growth = growth((text, i) -> text.file("[heap]", 10 + i).nativeHeap(10, i, 0));

    assertThat(growth.parts().getFirst().figures())
        .extracting(figure -> figure.name() + " " + figure.bytes().growthBytes() / MIB)
        .containsExactly("in use 0", "free 12");
  }

  /** Requests are figures of the part that has most of them. */
  @Test
  void parts_ofRequests_haveTheirFigures() {
    assertThat(
            figures((text, i) ->
                text.file("[heap]", 90 + i)
                    .nativeHeap(5, 85 + i, 20)
                    .anonymous(20)
                    .tracked("Other", 20)))
        .containsExactly(
            "C heap: in use", "C heap: free", "large native blocks: buffers and FFM arenas");
    assertThat(
            figures((text, i) ->
                text.file("[heap]", 90 + i)
                    .nativeHeap(85 + i, 5, 20)
                    .anonymous(20)
                    .tracked("Other", 80)))
        .containsExactly("C heap: in use", "C heap: free", "C heap: buffers and FFM arenas");
  }

  private static List<String> figures(BiConsumer<SampleText, Integer> fill) {
    return growth(fill).parts().stream()
        .flatMap(part ->
            part.figures().stream().map(figure -> part.owner().title() + ": " + figure.name()))
        .toList();
  }

  @Test
  void samples_inAnyOrder_areSortedByTime() {
    List<MemorySample> samples =
        new ArrayList<>(growth((text, i) -> text.file("/data/a.bin", 10 + i)).samples());
    Collections.reverse(samples);

    assertThat(new MemoryGrowth(samples).residentBytes().growthBytes()).isEqualTo(12 * MIB);
  }

  @Test
  void notes_ofDumpsWithoutTime_tellThatTheSlopeIsUnknown() {
    MemoryGrowth growth =
        new MemoryGrowth(
            List.of(
                new SampleText().objects(1).sample(),
                new SampleText().objects(1).file("/data/a.bin", 9).sample()));

    assertThat(growth.notes())
        .containsExactly(
            "not all samples have a time, so the growth per hour is unknown; add a section '== time'"
                + " with the output of date +%s to each dump");
    assertThat(growth.duration()).isEmpty();
    assertThat(growth.residentBytes().bytesPerHour()).isEmpty();
    assertThat(growth.residentBytes().growthBytes()).isEqualTo(9 * MIB);
  }

  @Test
  void notes_ofDifferentProcesses_nameThem() {
    List<MemorySample> samples =
        List.of(
            new SampleText().objects(1).time(1).sample(),
            new SampleText().objects(1).time(2).command("other").sample());

    assertThat(new MemoryGrowth(samples).notes())
        .containsExactly("the samples are of different processes: (7, java), (7, other)");
  }

  /** A process that is stopped for a moment does not lose its heap. */
  @Test
  void growth_withASampleWithoutTheVm_leavesItOut() {
    List<MemorySample> samples =
        List.of(
            new SampleText().objects(9).time(1).sample(),
            new SampleText().file("/data/a.bin", 90).time(2).sample(),
            new SampleText().objects(9).time(3).sample());

    MemoryGrowth growth = new MemoryGrowth(samples);
    assertThat(growth.samples()).hasSize(2);
    assertThat(growth.residentBytes().growthBytes()).isZero();
    assertThat(growth.notes())
        .containsExactly(
            "in 1 sample, the virtual machine did not answer; the growth is computed from the others");
  }

  @Test
  void growth_ofOneSample_isRejected() {
    assertThatThrownBy(() -> new MemoryGrowth(List.of(new SampleText().sample())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a growth needs two or more samples: samples=1");
  }
}
