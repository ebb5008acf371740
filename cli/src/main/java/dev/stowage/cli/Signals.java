package dev.stowage.cli;

import dev.stowage.cli.plan.Interruption;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Interrupts the command when the process receives SIGINT or SIGTERM. */
final class Signals {

  /*
   * sun.misc.Signal of jdk.unsupported is the JDK's only way to react to a signal without ending
   * the process. A shutdown hook cannot do it: it does not learn of a second signal, and it runs
   * beside all other hooks. javac warns of each mention of the class, and the warning cannot be
   * suppressed; hence reflection.
   */

  private static final List<String> NAMES = List.of("INT", "TERM");

  private final Interruption interruption;
  private final AtomicBoolean isExiting = new AtomicBoolean();

  private Signals(Interruption interruption) {
    this.interruption = interruption;
  }

  /**
   * Has signals interrupt a command from now on.
   *
   * <p>A signal that the process was started to ignore stays ignored. If the JVM leaves signals
   * alone ({@code -Xrs}), they end the process, as before.
   *
   * @param interruption is told of the first signal
   */
  static void interrupt(Interruption interruption) {
    Signals signals = new Signals(interruption);
    try {
      for (String name : NAMES) {
        signals.register(name);
      }
    } catch (InvocationTargetException e) {
      // -Xrs: the JVM has left the signals to the operating system.
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal is not that of JDK 25", e);
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

  /** The first signal interrupts, the next one exits, and any further one does so without hooks. */
  private @Nullable Object receive(int number) {
    if (!interruption.interrupt(number)) {
      if (isExiting.getAndSet(true)) {
        Runtime.getRuntime().halt(ExitCode.interrupted(number));
      }
      System.exit(ExitCode.interrupted(number));
    }
    return null;
  }
}
