package dev.stowage.cli;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.report.DevicesFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code stowage devices}: what memory this machine has. */
@Command(
    name = "devices",
    sortOptions = false,
    description = {
      "Lists the devices whose memory can be used, and why others are missing:",
      "the host, and what OpenCL and CUDA have."
    })
final class DevicesCommand implements Callable<Integer> {

  @Option(
      names = "--format",
      paramLabel = "F",
      description = "table (the default) or json (one line).")
  private Format format = Format.table;

  @Spec private CommandSpec spec;

  private enum Format {
    table,
    json
  }

  @Override
  public Integer call() throws IOException {
    DevicesFormat devicesFormat =
        switch (format) {
          case table -> DevicesFormat.table();
          case json -> DevicesFormat.json();
        };
    PrintWriter out = spec.commandLine().getOut();
    devicesFormat.print(DeviceList.find(), out);
    out.flush();
    return ExitCode.DONE;
  }
}
