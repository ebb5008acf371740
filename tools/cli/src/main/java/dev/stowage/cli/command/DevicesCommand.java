package dev.stowage.cli.command;

import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.report.DevicesAnswer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code stowage devices}: lists the devices of this machine. */
@Command(
    name = "devices",
    sortOptions = false,
    description = {
      "Lists the devices of this machine: the host and the devices of OpenCL and CUDA.",
      "If a device is missing or cannot be used, prints the reason."
    },
    footer = {"  How much memory of which devices can a program use?", "    stowage devices"})
public final class DevicesCommand implements Callable<Integer> {

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    format.printer().print(DevicesAnswer.of(DeviceList.find()), spec.commandLine().getOut());
    return ExitCode.DONE;
  }
}
