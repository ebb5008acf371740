package dev.stowage.house;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.ref.Cleaner;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A class that breaks every rule; its methods are never called. */
@SuppressWarnings({
  "unused",
  "NonFinalStaticField",
  "StringCaseLocaleUsage",
  "SystemOut",
  "ThreadSleep"
})
final class Intruder {

  private static long calls;

  private Intruder() {}

  /** {@return this class, compiled} */
  static ClassModel model() throws Exception {
    try (InputStream in = Intruder.class.getResourceAsStream("Intruder.class")) {
      return ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
    }
  }

  @SuppressWarnings({"DefaultLocale", "StringCaseLocaleUsage"}) // so that the rule finds them
  static Object format() {
    calls++;
    System.out.printf("%d", calls);
    System.out.printf(Locale.ROOT, "%d", calls);
    String number = "%d".formatted(calls) + String.format("%d", calls);
    String upper = number.toLowerCase(Locale.ROOT) + number.toUpperCase();
    return List.of(upper, String.format(Locale.ROOT, "%d", calls), CompiledClasses.class);
  }

  static Object readClocks() throws Exception {
    LongSupplier nanos = System::nanoTime;
    Thread.sleep(1);
    return List.of(nanos, System.currentTimeMillis(), Instant.now(), Clock.systemUTC());
  }

  static Object startThreads() {
    return List.of(
        Thread.ofVirtual(),
        Cleaner.create(),
        Executors.newCachedThreadPool(),
        CompletableFuture.runAsync(() -> {}),
        List.of(1).parallelStream(),
        Stream.of(1).parallel());
  }
}
