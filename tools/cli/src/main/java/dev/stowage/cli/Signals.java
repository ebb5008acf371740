package dev.stowage.cli;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.plan.Interruption;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Interrupts the command when the process receives SIGINT or SIGTERM. */
final class Signals {

  /*
   * sun.misc.Signal of jdk.unsupported is the only class of the JDK that handles a signal without
   * ending the process. A shutdown hook would run concurrently with all other hooks and would not
   * receive a second signal. javac warns of each use of the class, and the warning cannot be
   * suppressed. Therefore this class uses reflection.
   */

  private static final List<String> NAMES = List.of("INT", "TERM");

  /** The time without a write after which an interrupted command is taken to wait for a reader. */
  private static final long GRACE_MILLIS = 15_000;

  private final Interruption interruption;
  private final TrackedOutput output;

  private Signals(Interruption interruption, TrackedOutput output) {
    this.interruption = interruption;
    this.output = output;
  }

  /**
   * Installs handlers of signals, which interrupt a command.
   *
   * <p>A signal that the process ignored when it started stays ignored. With the JVM option {@code
   * -Xrs}, signals end the process.
   *
   * @param interruption receives the first signal
   * @param output the standard output, which the command may wait for
   */
  static void interrupt(Interruption interruption, TrackedOutput output) {
    Signals signals = new Signals(interruption, output);
    try {
      for (String name : NAMES) {
        signals.register(name);
      }
    } catch (InvocationTargetException e) {
      // With -Xrs, the JVM does not handle signals.
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal differs from that of JDK 25", e);
    }
  }

  private void register(String name) throws ReflectiveOperationException {
    Class<?> signalType = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = signalType.getConstructor(String.class).newInstance(name);
    int number = (int) signalType.getMethod("getNumber").invoke(signal);
    Object handler =
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> receive(number));
    signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
  }

  /** Interrupts at the first signal, and exits at the second one. */
  private @Nullable Object receive(int number) {
    int exitCode = ExitCode.interrupted(number);
    if (interruption.interrupt(number)) {
      Thread.ofPlatform().daemon().name("stowage-signal").start(() -> exitAfterGrace(exitCode));
    } else {
      System.exit(exitCode);
    }
    return null;
  }

  /** Exits if the command neither ends nor prints, for example because nothing reads its output. */
  private void exitAfterGrace(int exitCode) {
    try {
      long before;
      do {
        before = output.writeCount();
        Thread.sleep(GRACE_MILLIS);
      } while (output.writeCount() != before);
      System.exit(exitCode);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
