package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CompiledClassesTest {

  @Test
  void callsInDefaultLocale_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.callsInDefaultLocale(Intruder.model()))
        .containsExactlyInAnyOrder(
            "dev/stowage/house/Intruder -> java/lang/String.format",
            "dev/stowage/house/Intruder -> java/lang/String.formatted",
            "dev/stowage/house/Intruder -> java/lang/String.toUpperCase",
            "dev/stowage/house/Intruder -> java/io/PrintStream.printf");
  }

  @Test
  void references_notAllowed_areNamed() throws Exception {
    assertThat(
            CompiledClasses.references(
                Intruder.model(), name -> !name.startsWith("dev/stowage/house/C")))
        .containsExactly("dev/stowage/house/Intruder -> dev/stowage/house/CompiledClasses");
  }

  @Test
  void mutableStatics_field_isNamed() throws Exception {
    assertThat(CompiledClasses.mutableStatics(Intruder.model()))
        .containsExactly("dev/stowage/house/Intruder.calls");
  }

  @Test
  void clockCalls_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.clockCalls(Intruder.model()))
        .containsExactly(
            "dev/stowage/house/Intruder -> java/lang/System.currentTimeMillis",
            "dev/stowage/house/Intruder -> java/lang/System.nanoTime",
            "dev/stowage/house/Intruder -> java/lang/Thread.sleep",
            "dev/stowage/house/Intruder -> java/time/Clock.systemUTC",
            "dev/stowage/house/Intruder -> java/time/Instant.now");
  }

  @Test
  void threadCalls_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.threadCalls(Intruder.model()))
        .containsExactly(
            "dev/stowage/house/Intruder -> java/lang/Thread.ofVirtual",
            "dev/stowage/house/Intruder -> java/lang/ref/Cleaner.create",
            "dev/stowage/house/Intruder -> java/util/List.parallelStream",
            "dev/stowage/house/Intruder -> java/util/concurrent/CompletableFuture.runAsync",
            "dev/stowage/house/Intruder -> java/util/concurrent/Executors.newCachedThreadPool",
            "dev/stowage/house/Intruder -> java/util/stream/Stream.parallel");
  }

  @Test
  void in_thisModule_itsClasses() throws Exception {
    assertThat(CompiledClasses.in(Path.of("target/test-classes"), "dev/stowage/house"))
        .extracting(model -> model.thisClass().asInternalName())
        .contains("dev/stowage/house/Intruder", "dev/stowage/house/CompiledClasses");
  }
}
