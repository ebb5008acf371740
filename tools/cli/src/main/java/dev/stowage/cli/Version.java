package dev.stowage.cli;

import dev.stowage.cli.text.ProductVersion;
import picocli.CommandLine.IVersionProvider;

/** The version and commit that {@code --version} prints. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String commit = ProductVersion.findCommit().map(found -> " (" + found + ")").orElse("");
    return new String[] {"stowage " + ProductVersion.find().orElse("(not packaged)") + commit};
  }
}
