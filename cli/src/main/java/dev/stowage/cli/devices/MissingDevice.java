package dev.stowage.cli.devices;

/**
 * What was looked for and is not there, or cannot be used.
 *
 * @param kind what: OpenCL or CUDA, with the device's name where it has one
 * @param reason why, in a sentence
 */
public record MissingDevice(String kind, String reason) {}
