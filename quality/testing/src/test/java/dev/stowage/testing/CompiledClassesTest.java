package dev.stowage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompiledClassesTest {

  @Test
  void callsInDefaultLocale_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.callsInDefaultLocale(Intruder.model()))
        .containsExactlyInAnyOrder(
            "dev/stowage/testing/Intruder -> java/lang/String.format",
            "dev/stowage/testing/Intruder -> java/lang/String.formatted",
            "dev/stowage/testing/Intruder -> java/lang/String.toUpperCase",
            "dev/stowage/testing/Intruder -> java/io/PrintStream.printf");
  }

  @Test
  void references_notAllowed_areNamed() throws Exception {
    assertThat(
            CompiledClasses.references(
                Intruder.model(), name -> !name.startsWith("dev/stowage/testing/S")))
        .containsExactly("dev/stowage/testing/Intruder -> dev/stowage/testing/Seeds");
  }

  @Test
  void mutableStatics_field_isNamed() throws Exception {
    assertThat(CompiledClasses.mutableStatics(Intruder.model()))
        .containsExactly("dev/stowage/testing/Intruder.calls");
  }

  @Test
  void clockCalls_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.clockCalls(Intruder.model()))
        .containsExactly(
            "dev/stowage/testing/Intruder -> java/lang/System.currentTimeMillis",
            "dev/stowage/testing/Intruder -> java/lang/System.nanoTime",
            "dev/stowage/testing/Intruder -> java/lang/Thread.sleep",
            "dev/stowage/testing/Intruder -> java/time/Clock.systemUTC",
            "dev/stowage/testing/Intruder -> java/time/Instant.now");
  }

  @Test
  void threadCalls_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.threadCalls(Intruder.model()))
        .containsExactly(
            "dev/stowage/testing/Intruder -> java/lang/Thread.ofVirtual",
            "dev/stowage/testing/Intruder -> java/lang/ref/Cleaner.create",
            "dev/stowage/testing/Intruder -> java/util/List.parallelStream",
            "dev/stowage/testing/Intruder -> java/util/concurrent/CompletableFuture.runAsync",
            "dev/stowage/testing/Intruder -> java/util/concurrent/Executors.newCachedThreadPool",
            "dev/stowage/testing/Intruder -> java/util/stream/Stream.parallel");
  }

  @Test
  void in_thisModule_itsClasses() throws Exception {
    assertThat(CompiledClasses.in(Seeds.class, "dev/stowage/testing"))
        .extracting(model -> model.thisClass().asInternalName())
        .contains("dev/stowage/testing/Seeds", "dev/stowage/testing/CompiledClasses");
  }
}
