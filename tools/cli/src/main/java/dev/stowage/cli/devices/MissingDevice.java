package dev.stowage.cli.devices;

/**
 * A kind of devices without devices, or a device that is not usable.
 *
 * @param kind OpenCL or CUDA, and the name of the device if it has one
 * @param reason the reason, in a sentence
 */
public record MissingDevice(String kind, String reason) {}
