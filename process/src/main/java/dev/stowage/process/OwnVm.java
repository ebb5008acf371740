package dev.stowage.process;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The virtual machine of this process. */
final class OwnVm {

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  /** {@return the output of a diagnostic command; empty if the virtual machine does not know it} */
  Optional<String> output(String command) {
    String[] words = command.split(" ", -1);
    String[] arguments = words.length == 1 ? new String[0] : new String[] {words[1]};
    try {
      return Optional.ofNullable(
              beans.invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  operation(words[0]),
                  new Object[] {arguments},
                  new String[] {String[].class.getName()}))
          .map(Object::toString);
    } catch (JMException e) {
      return Optional.empty();
    }
  }

  /**
   * {@return the operation of the bean for a command: {@code gcHeapInfo} for {@code GC.heap_info}}
   */
  private static String operation(String command) {
    StringBuilder operation = new StringBuilder();
    for (String word : command.split("[._]", -1)) {
      operation.append(
          operation.isEmpty()
              ? word.toLowerCase(Locale.ROOT)
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return operation.toString();
  }
}
