# Image for the init container: the agent jar, and cp to copy it. Any base image with cp works.
#   docker build -f deploy/kubernetes/agent.Dockerfile -t portcullis-agent:dev agent/target
FROM busybox:stable
COPY portcullis-agent.jar /portcullis-agent.jar
USER 10001:10001
CMD ["cp", "/portcullis-agent.jar", "/portcullis/portcullis-agent.jar"]
